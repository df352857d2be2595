import { afterEach, expect, it, jest } from '@jest/globals';
import { commentKeys, postKeys } from './drafts.js';

afterEach(() => sessionStorage.clear());

// Rule: POST-12
it('what is sent again after a reload has the same idempotency key, until it is known to be stored', async () => {
  const body = { content: 'Five sets of five', visibility: 'public' };
  const key = postKeys('ben').keyFor(body);
  const commentKey = commentKeys('ben', 'p1').keyFor('Well done');
  jest.resetModules();
  const page = await import('./drafts.js');
  (await import('../../session/drafts.js')).restoreDrafts();
  expect(page.postKeys('ben').keyFor(body)).toBe(key);
  expect(page.commentKeys('ben', 'p1').keyFor('Well done')).toBe(commentKey);
  expect(page.commentKeys('ben', 'p1').keyFor('Something else')).not.toBe(commentKey);
  page.postKeys('ben').done();
  expect(page.postKeys('ben').keyFor(body)).not.toBe(key);
});
