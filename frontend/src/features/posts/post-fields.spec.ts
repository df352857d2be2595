import { describe, expect, it } from '@jest/globals';
import { aPost } from '../../../test/a-post.js';
import { aVideo } from '../../../test/a-video.js';
import { anImage } from '../../../test/an-image.js';
import { changesOf, differs, draftOfPost } from './components/post-changes.js';
import { isWebUrl, newPostOf } from './post-fields.js';
import type { PostDraft } from './post-fields.js';

const post = aPost({ content: 'Dawn', images: [anImage({ id: 'a' })] });
const draft = draftOfPost(post);

// Rule: POST-1, UI-17
describe('a new post', () => {
  it('is sent without white space around its text, and without a list of no photos', () =>
    expect(newPostOf({ ...draft, content: ' Dawn\r\n', images: [] }, false)).toEqual({
      ...{ content: 'Dawn', visibility: 'public' },
    }));

  it('has its video, a link without white space around it', () => {
    const sent = (video: PostDraft['video']) => newPostOf({ ...draft, images: [], video }, false).video;
    expect(sent({ type: 'upload', id: 'v1', address: '/api/uploads/v1' })).toEqual({
      type: 'upload',
      id: 'v1',
    });
    expect(sent({ type: 'url', url: ' https://vimeo.com/1 ' })).toEqual({
      ...{ type: 'url', url: 'https://vimeo.com/1' },
    });
  });

  it('of somebody who is no coach is public, whatever an earlier draft says', () => {
    const forSubscribers = { ...draft, visibility: 'subscribers' as const };
    expect(newPostOf(forSubscribers, false).visibility).toBe('public');
    expect(newPostOf(forSubscribers, true).visibility).toBe('subscribers');
  });
});

// Rule: POST-5, UI-41
describe('an edit', () => {
  it('sends the fields that were changed alone', () => {
    expect(changesOf(draft, draft)).toEqual({});
    expect(changesOf({ ...draft, content: 'Dusk' }, draft)).toEqual({ content: 'Dusk' });
    expect(changesOf({ ...draft, visibility: 'subscribers' }, draft)).toEqual({ visibility: 'subscribers' });
    expect(changesOf({ ...draft, images: [] }, draft)).toEqual({ images: [] });
  });

  // Rule: UI-66
  it('only removes a video', () => {
    const withVideo = draftOfPost(aPost({ video: aVideo() }));
    expect(changesOf(withVideo, withVideo)).toEqual({});
    expect(changesOf({ ...withVideo, video: null }, withVideo)).toEqual({ video: null });
  });

  it('is kept for white space in its text, of which nothing is sent', () => {
    const edit = { ...draft, content: 'Dawn ' };
    expect(differs(edit, draft)).toBe(true);
    expect(changesOf(edit, draft)).toEqual({});
    expect(differs({ ...draft }, draft)).toBe(false);
  });
});

// Rule: POST-26
it.each([
  ['https://vimeo.com/1', true],
  [' HTTP://example.test ', true],
  [`https://example.test/${'a'.repeat(2030)}`, false],
  ['ftp://example.test/run.mp4', false],
  ['javascript:alert(1)', false],
  ['https://', false],
  ['vimeo.com/1', false],
])('%s is a link of a video: %s', (text, is) => expect(isWebUrl(text)).toBe(is));
