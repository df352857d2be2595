import { describe, expect, it } from '@jest/globals';
import { aDocument, aSourceComment, aSourcePost } from '../../../../test/an-archive.js';
import { ArchiveError } from './archive-error.js';
import { readDocument } from './read-document.js';

const faultOf = (document: unknown) => {
  try {
    readDocument(document);
  } catch (error) {
    if (error instanceof ArchiveError) return error.fault;
    throw error;
  }
  return undefined;
};

// Rule: UI-78, ACCT-46
describe('the document of an archive', () => {
  it('gives the profile, the posts with their media, and the own comments on them', () => {
    const account = {
      name: 'Ana',
      bio: 'Rower',
      isCoach: true,
      specialties: ['rowing'],
      profileImageId: 'face',
    };
    const source = readDocument(
      aDocument({
        identity: { account: [account] },
        posts: {
          posts: [
            aSourcePost('p1', { images: [{ id: 'i1', alt: 'A boat', bytes: 3 }] }),
            aSourcePost('p2', { content: undefined, videoId: 'v1', visibility: 'subscribers' }),
            aSourcePost('p3', {
              editedAt: '2026-11-03T10:00:00.000Z',
              videoLink: { url: 'https://embed.test/x', originalUrl: 'https://youtu.be/x' },
            }),
          ],
          comments: [aSourceComment('c1', 'p1'), aSourceComment('c2', 'of-ben')],
        },
        media: {
          files: [
            { id: 'i1', originalName: 'boat.png', originalSize: 9000 },
            { id: 'v1', originalName: null },
          ],
          videos: [{ id: 'v1', name: 'row.mov' }],
        },
      }),
    );
    expect(source).toEqual({
      userId: 'ana',
      exportedAt: '2026-11-20T10:00:00.000Z',
      profile: { name: 'Ana', bio: 'Rower', isCoach: true, specialties: ['rowing'], pictureId: 'face' },
      posts: [
        {
          ...{ sourceId: 'p1', content: 'Text of p1', visibility: 'public' },
          images: [{ id: 'i1', alt: 'A boat', caption: '' }],
        },
        { sourceId: 'p2', content: '', visibility: 'subscribers', images: [], videoId: 'v1' },
        {
          ...{ sourceId: 'p3', content: 'Text of p3', visibility: 'public', images: [] },
          ...{ editedAt: '2026-11-03T10:00:00.000Z', videoLink: 'https://youtu.be/x' },
        },
      ],
      comments: [{ sourceId: 'c1', postSourceId: 'p1', content: 'Comment c1' }],
      files: new Map([
        ['i1', { name: 'boat.png', originalSize: 9000 }],
        ['v1', { name: 'row.mov' }],
      ]),
      leftOut: { commentsElsewhere: 1 },
    });
  });

  it('counts what no import takes', () => {
    const hidden = { hiddenAt: '2026-11-04T10:00:00.000Z' };
    const { posts, leftOut } = readDocument(
      aDocument({
        posts: {
          posts: [aSourcePost('p1'), aSourcePost('p2', hidden), { id: 7 }],
          comments: [aSourceComment('c1', 'p1', hidden), aSourceComment('c2', 'p2'), { id: 'c3' }],
          likes: [{}, {}],
        },
        social: { following: [{}], followers: [{}, {}], reviews: [{}] },
        messaging: { sentMessages: [{}], receivedMessages: [{}, {}, {}] },
        billing: { subscriptions: [{}], subscribers: [{}] },
      }),
    );
    expect(posts.map(({ sourceId }) => sourceId)).toEqual(['p1']);
    expect(leftOut).toEqual({
      ...{ hiddenPosts: 1, hiddenComments: 1, commentsElsewhere: 1, unreadable: 2 },
      ...{ likes: 2, follows: 3, reviews: 1, messages: 4, subscriptions: 2 },
    });
  });

  it('takes a post once that stands there twice', () => {
    const posts = [aSourcePost('p1'), aSourcePost('p1', { content: 'again' })];
    expect(readDocument(aDocument({ posts: { posts } })).posts).toHaveLength(1);
  });

  it('gives times and facts of files as the API takes them, whatever program has written them', () => {
    const names = ['a'.repeat(255), 'a'.repeat(256), '', ''];
    const sizes = [0, -1, 1.5, '7'];
    const { posts, exportedAt, files } = readDocument(
      aDocument(
        {
          posts: { posts: [aSourcePost('p1', { editedAt: '2026-11-03T12:00:00+02:00' })] },
          media: {
            files: names.map((originalName, index) => ({
              ...{ id: `i${index}`, originalName, originalSize: sizes[index] },
            })),
          },
        },
        { exportedAt: 'once' },
      ),
    );
    expect([posts[0]?.editedAt, exportedAt]).toEqual(['2026-11-03T10:00:00.000Z', undefined]);
    expect([...files.values()]).toEqual([{ name: names[0], originalSize: 0 }, {}, {}, {}]);
  });

  it('is refused where it is another one, or not whole', () => {
    expect(faultOf([])).toBe('otherFormat');
    expect(faultOf({ ...aDocument(), format: 'mastodon' })).toBe('otherFormat');
    expect(faultOf({ ...aDocument(), version: 2 })).toBe('otherVersion');
    expect(faultOf({ ...aDocument(), complete: undefined })).toBe('incomplete');
    expect(faultOf({ ...aDocument(), services: 'none' })).toBe('otherFormat');
  });

  it('may lack every part, or have another shape there', () => {
    const { posts, profile } = readDocument({
      ...aDocument(),
      services: { posts: { posts: 'many' }, identity: [] },
    });
    expect({ posts, profile }).toEqual({
      posts: [],
      profile: { name: '', bio: '', isCoach: false, specialties: [] },
    });
  });
});
