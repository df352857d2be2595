import type { EditPostRequest, ImageChoice, PublishPostRequest } from '@pulso/contracts/posts/v1/posts';
import type { DomainError, FieldError } from '@pulso/platform/errors/domain-error';
import { VIDEO_FIELDS } from './attached-video.js';
import {
  cachedFieldsOf,
  changesOf,
  DELETION,
  FIELD_KINDS,
  type FieldKinds,
  readEdit,
  readNewPost,
  sizeOf,
} from './post.js';
import type { PostDocument, PostDraft } from './post.schema.js';

const LINK = { url: 'https://youtu.be/M7lc1UVf-VE' };
const publish = (fields: Partial<PublishPostRequest>) =>
  readNewPost({ content: '', visibility: 0, images: [], idempotency: undefined, ...fields });
const edit = (fields: Partial<EditPostRequest>) => readEdit({ id: 'post', ...fields });

/** The problems for which a request is refused. */
function problemsOf(read: () => unknown): [path: string, code: string, message: string][] {
  try {
    read();
  } catch (error) {
    const { errors = [] } = (error as DomainError).details as { errors?: FieldError[] };
    return errors.map(({ path, code, message }) => [path, code, message]);
  }
  return [];
}

const TOO_LONG = ['too-long', 'Must be at most 10000 characters'] as const;
const image = (id: string, texts: Partial<ImageChoice> = {}): ImageChoice => ({
  ...{ id, alt: '', caption: '' },
  ...texts,
});
const images = (count: number) => Array.from({ length: count }, (_, index) => image(`i-${index}`));

describe('a new post', () => {
  it('has trimmed texts, and is public unless its author says otherwise', () => {
    expect(publish({ content: '\n a\n\tb ', images: [image('i', { alt: ' c ' })] })).toEqual({
      draft: { content: 'a\n\tb', visibility: 'public' },
      choices: [{ id: 'i', alt: 'c', caption: '' }],
      video: undefined,
    });
    expect(publish({ content: 'a', visibility: 2 }).draft.visibility).toBe('subscribers');
  });

  // Rule: POST-1, POST-4
  it('may be without text beside media only', () => {
    const empty = ['content', 'required', 'Please add some content, images, or video to your post.'];
    expect(problemsOf(() => publish({ content: ' ' }))).toEqual([empty]);
    expect(problemsOf(() => publish({ content: '\u200b', images: images(1) }))).toEqual([]);
    expect(problemsOf(() => publish({ video: { uploadId: 'v' } }))).toEqual([]);
    expect(problemsOf(() => publish({ video: LINK }))).toEqual([]);
  });

  // Rule: HTTP-15
  it('is refused with 25 problems at most', () => {
    const long = 'x'.repeat(1001);
    const wrong = Array.from({ length: 10 }, () => image('i', { alt: long, caption: long }));
    const problems = problemsOf(() => publish({ content: '\u0000', images: wrong }));
    expect([problems.length, problems[0]![0], problems.at(-1)![0]]).toEqual([25, 'content', 'images.8.id']);
  });

  // Rule: POST-2
  it('has images or a video', () => {
    expect(problemsOf(() => publish({ images: images(1), video: LINK }))).toEqual([
      ['video', 'images-and-video', 'A post has images or a video, not both.'],
    ]);
  });

  // Rule: POST-17, POST-26
  it('has an upload, or a link that is judged and must be a web address', () => {
    expect(publish({ video: { uploadId: 'v' } }).video).toEqual({ uploadId: 'v' });
    expect(publish({ video: { url: ` ${LINK.url} ` } }).video).toEqual({
      link: {
        url: 'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE',
        originalUrl: LINK.url,
        platform: 'youtube',
        direct: false,
      },
    });
    for (const video of [{}, { url: '' }, { url: 'example.com/a.mp4' }, { url: 'javascript:alert(1)' }]) {
      expect(problemsOf(() => publish({ video }))).toEqual([
        ['video.url', 'invalid-url', 'Please enter a valid URL'],
      ]);
    }
  });

  // Rule: POST-1
  it('is refused for all its problems at once', () => {
    const chosen = [
      image('i', { alt: 'x'.repeat(1_001) }),
      image('j'),
      image('i', { caption: 'x'.repeat(501) }),
    ];
    const request = { content: 'x'.repeat(10_001), visibility: 99 as never, images: chosen, video: LINK };
    expect(problemsOf(() => publish(request))).toEqual([
      ['content', ...TOO_LONG],
      ['visibility', 'invalid-value', 'Must be public or subscribers'],
      ['images.0.alt', 'too-long', 'Must be at most 1000 characters'],
      ['images.2.id', 'repeated', 'A post shows each image once.'],
      ['images.2.caption', 'too-long', 'Must be at most 500 characters'],
      ['video', 'images-and-video', 'A post has images or a video, not both.'],
    ]);
  });

  // Rule: POST-1
  it('has at most ten images', () => {
    expect(problemsOf(() => publish({ images: images(10) }))).toEqual([]);
    expect(problemsOf(() => publish({ images: images(11) }))).toEqual([
      ['images', 'too-many', 'Too many files. Maximum: 10 images'],
    ]);
  });
});

describe('an edit', () => {
  const post: PostDraft = { content: 'a', visibility: 'public' };
  const changed = (fields: Partial<EditPostRequest>) => changesOf(post, edit(fields).draft);

  it('changes the fields that it has and that differ', () => {
    expect(changed({})).toEqual({});
    expect(changed({ content: ' a ', visibility: 1 })).toEqual({});
    expect(changed({ content: '', visibility: 2 })).toEqual({ content: '', visibility: 'subscribers' });
  });

  // Rule: POST-5
  it('is refused for all its problems at once', () => {
    const request = { content: 'x'.repeat(10_001), images: { items: images(11) } };
    expect(problemsOf(() => edit(request))).toEqual([
      ['content', ...TOO_LONG],
      ['images', 'too-many', 'Too many images. Maximum 10 images allowed. You currently have 11.'],
    ]);
  });
});

interface Subtitled {
  subtitle?: string;
}

describe('a new field of a post', () => {
  it('does not compile until its kind is decided, which for the author’s words is text', () => {
    // @ts-expect-error: not decided
    const undecided: FieldKinds<PostDocument & Subtitled, PostDraft> = FIELD_KINDS;
    const words = { ...FIELD_KINDS, subtitle: 'short' } as const;
    // @ts-expect-error: it can be of any length, and a deletion empties it
    const unmeasured: FieldKinds<PostDocument & Subtitled, PostDraft & Subtitled> = words;
    const measured: FieldKinds<PostDocument & Subtitled, PostDraft & Subtitled> = {
      ...words,
      subtitle: 'text',
    };
    expect([undecided, unmeasured, measured]).toHaveLength(3);
  });

  it('is emptied by a deletion if it is a text, and counts in the size', () => {
    const kinds: [string, string][] = Object.entries(FIELD_KINDS);
    const texts = kinds.filter(([, kind]) => kind === 'text').map(([name]) => name);
    expect(texts).toContain('content');
    expect(DELETION.set).toMatchObject(Object.fromEntries(texts.map((name) => [name, ''])));
    const at = new Date(0);
    const stored = { _id: 'p', version: 1, authorId: 'a', content: '', visibility: 'public' } as const;
    const post = { ...stored, likeCount: 0, commentCount: 0, createdAt: at, updatedAt: at, live: true };
    const sizeWith = (fields: object) => sizeOf(cachedFieldsOf({ ...post, ...fields }));
    for (const name of texts) expect(sizeWith({ [name]: 'x'.repeat(100) }) - sizeWith({})).toBe(300);
    // Its video counts as well, with its texts, and a deletion removes it.
    const linkTo = (url: string) => ({
      videoLink: { url, originalUrl: '', platform: 'external', direct: true },
    });
    expect(sizeWith(linkTo(''))).toBeGreaterThan(sizeWith({}));
    expect(sizeWith(linkTo('x'.repeat(100))) - sizeWith(linkTo(''))).toBe(300);
    expect(DELETION.unset).toEqual(expect.arrayContaining(['images', ...VIDEO_FIELDS]));
  });
});
