import { describe, expect, it } from '@jest/globals';
import { aPost } from '../../../test/a-post.js';
import { anImage } from '../../../test/an-image.js';
import { changesOf, differs } from './components/post-changes.js';
import { draftOfPost, newPostOf } from './post-fields.js';

const post = aPost({ content: 'Dawn', images: [anImage({ id: 'a' })] });
const draft = draftOfPost(post);

// Rule: POST-1, UI-17
describe('a new post', () => {
  it('is sent without white space around its text, and without a list of no photos', () =>
    expect(newPostOf({ ...draft, content: ' Dawn\r\n', images: [] }, false)).toEqual({
      ...{ content: 'Dawn', visibility: 'public' },
    }));

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

  it('is kept for white space in its text, of which nothing is sent', () => {
    const edit = { ...draft, content: 'Dawn ' };
    expect(differs(edit, draft)).toBe(true);
    expect(changesOf(edit, draft)).toEqual({});
    expect(differs({ ...draft }, draft)).toBe(false);
  });
});
