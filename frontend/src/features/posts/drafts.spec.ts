import { afterEach, expect, it, jest } from '@jest/globals';
import { commentKeys, draftOf, hasDraft, keepTypedSince, postKeys, setDraft } from './drafts.js';
import { keepDraft } from '../../drafts/drafts.js';
import { EMPTY_POST, newPostOf } from './post-fields.js';

afterEach(() => sessionStorage.clear());

// Rule: POST-12
it('what is sent again after a reload has the same idempotency key, until it is known to be stored', async () => {
  const body = { content: 'Five sets of five', visibility: 'public' };
  const key = postKeys('ben').keyFor(body);
  const commentKey = commentKeys('ben', 'p1').keyFor('Well done');
  jest.resetModules();
  const page = await import('./drafts.js');
  (await import('../../drafts/drafts.js')).restoreDrafts();
  expect(page.postKeys('ben').keyFor(body)).toBe(key);
  expect(page.commentKeys('ben', 'p1').keyFor('Well done')).toBe(commentKey);
  expect(page.commentKeys('ben', 'p1').keyFor('Something else')).not.toBe(commentKey);
  page.postKeys('ben').done();
  expect(page.postKeys('ben').keyFor(body)).not.toBe(key);
});

const image = (id: string) => ({ id, alt: ` ${id} `, caption: '', width: 640, height: 480 });

// Rule: UI-17, UI-18
it('what was typed and uploaded since a post was sent is the next draft', () => {
  const images = ['a', 'b', 'c'].map(image);
  const draft = { ...EMPTY_POST, content: 'Dawn and dusk', images };
  setDraft('ben', draft);
  const sent = newPostOf({ ...draft, content: 'Dawn', images: images.slice(0, 2) }, false);
  expect(sent.images).toEqual([
    { id: 'a', alt: 'a', caption: '' },
    { id: 'b', alt: 'b', caption: '' },
  ]);
  keepTypedSince('ben', sent);
  expect(draftOf('ben')).toEqual({ ...EMPTY_POST, content: 'and dusk', images: [image('c')] });
  keepTypedSince('ben', newPostOf({ ...EMPTY_POST, content: 'and dusk' }, false));
  expect(draftOf('ben')).toMatchObject({ content: '', images: [image('c')] });
  keepTypedSince('ben', newPostOf({ ...EMPTY_POST, images: [image('c')] }, false));
  expect(hasDraft('ben')).toBe(false);
});

// Rule: UI-17, UI-65
it('a video that was chosen since a post was sent is the next draft’s', () => {
  const next = {
    type: 'upload',
    file: { name: 'run.mp4', type: 'video/mp4', size: 1, lastModified: 1 },
  } as const;
  setDraft('ben', { ...EMPTY_POST, content: 'Dawn', video: next });
  keepTypedSince('ben', newPostOf({ ...EMPTY_POST, content: 'Dawn' }, false));
  expect(draftOf('ben')).toEqual({ ...EMPTY_POST, video: next });
  setDraft('ben', { ...EMPTY_POST, video: { type: 'upload', id: 'v1' } });
  keepTypedSince('ben', newPostOf({ ...EMPTY_POST, video: { type: 'upload', id: 'v1' } }, false));
  expect(hasDraft('ben')).toBe(false);
});

// Rule: UI-41
it('a draft that an earlier version kept is loaded, with what it lacks', () => {
  keepDraft('ben', 'post', { content: 'Dawn', visibility: 'subscribers' });
  expect(draftOf('ben')).toEqual({ ...EMPTY_POST, content: 'Dawn', visibility: 'subscribers' });
});
