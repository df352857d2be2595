import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aBlob } from '../../../../test/a-file.js';
import { aSession } from '../../../../test/a-post.js';
import { aDocument, anArchive, aSourceComment, aSourcePost } from '../../../../test/an-archive.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakeImport } from '../../../../test/fake-import.js';
import type { FakeImport } from '../../../../test/fake-import.js';
import { SessionOverError } from '../../../server/http/api-error.js';
import { session } from '../../../server/session/session.js';
import { ImportRun } from './import-run.js';

const POSTS = 'POST /api/me/import/posts';
const COMMENTS = 'POST /api/me/import/comments';

let gateway: FakeGateway;
let server: FakeImport;
beforeEach(() => {
  gateway = fakeGateway();
  server = fakeImport(gateway);
  session.signIn(aSession('token'));
});
afterEach(() => session.forceSignOut());

const callsOf = (route: string) => gateway.calls.filter((call) => call === route).length;
const manyPosts = (n: number) =>
  Array.from({ length: n }, (_, index) =>
    // The last one has a picture.
    aSourcePost(`p${index}`, index === n - 1 ? { images: [{ id: 'i1' }] } : {}),
  );
const ofAccount = (most: number, rows: string) =>
  problem(422, 'unprocessable', { detail: `An account can import at most ${most} ${rows}.` });

async function runs(posts: object[], comments: object[]) {
  const archive = anArchive(aDocument({ posts: { posts, comments } }), { i1: aBlob() });
  const run = new ImportRun(archive, {}, { isCoach: false });
  await run.start();
  return run.getView();
}

// Rule: LIMIT-21, UI-78
describe('an import beyond what an account takes', () => {
  it('brings as many posts as it can, and their comments; the rest is counted, with the reason', async () => {
    server.intercept((route, { posts = [] }) =>
      route === POSTS && server.posts.size + posts.length > 25 ? ofAccount(25, 'posts') : undefined,
    );
    const comments = [aSourceComment('c1', 'p24'), aSourceComment('c2', 'p25')];
    expect(await runs(manyPosts(45), comments)).toMatchObject({
      ...{ phase: 'done', share: 1, posts: { done: 45, of: 45 }, comments: { done: 2, of: 2 } },
      leftOut: { overLimit: 20, commentsElsewhere: 1 },
      reasons: ['An account can import at most 25 posts.'],
    });
    expect(server.posts.size).toBe(25);
    expect([...server.comments.keys()]).toEqual(['c1']);
    // 20; 20, 10, 5 of which 5 fit; 5, 3, 2, 1. The last 5 are not sent, nor is their picture.
    expect(callsOf(POSTS)).toBe(8);
    expect(server.uploads).toEqual([]);
  });

  it('counts comments of which the account takes no more', async () => {
    server.intercept((route, { comments = [] }) =>
      route === COMMENTS && server.comments.size + comments.length > 100
        ? ofAccount(100, 'comments')
        : undefined,
    );
    const comments = Array.from({ length: 130 }, (_, index) => aSourceComment(`c${index}`, 'p0'));
    expect(await runs(manyPosts(1), comments)).toMatchObject({
      ...{ phase: 'done', comments: { done: 130, of: 130 } },
      leftOut: { commentsOverLimit: 30 },
      reasons: ['An account can import at most 100 comments.'],
    });
    expect(server.comments.size).toBe(100);
  });
});

// Rule: UI-78
describe('an import that the server refuses', () => {
  it('leaves out what this account may not write', async () => {
    server.intercept((route, { posts = [] }) =>
      route === POSTS && posts.some(({ sourceId }) => sourceId === 'p1')
        ? problem(403, 'permission-denied')
        : undefined,
    );
    expect(await runs(manyPosts(3), [])).toMatchObject({ phase: 'done', leftOut: { refusedPosts: 1 } });
    expect([...server.posts.keys()]).toEqual(['p0', 'p2']);
  });

  it('ends at once where the account is suspended, which ends the session', async () => {
    server.intercept((route) => (route === POSTS ? problem(403, 'user-disabled') : undefined));
    expect(await runs(manyPosts(20), [])).toMatchObject({
      ...{ phase: 'failed', failure: expect.any(SessionOverError) },
      posts: { done: 0, of: 20 },
      leftOut: {},
    });
    expect(callsOf(POSTS)).toBe(1);
  });
});
