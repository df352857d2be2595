import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aBlob, aFile } from '../../../../test/a-file.js';
import { aMe, aSession } from '../../../../test/a-post.js';
import { aDocument, anArchive, aSourceComment, aSourcePost } from '../../../../test/an-archive.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakeImport } from '../../../../test/fake-import.js';
import type { FakeImport } from '../../../../test/fake-import.js';
import { fakeUploads } from '../../../../test/fake-uploads.js';
import { session } from '../../../server/session/session.js';
import { ArchiveError } from './archive-error.js';
import { ImportRun } from './import-run.js';
import type { ProfileChoice } from './import-run.js';

const POSTS = 'POST /api/me/import/posts';
const COMMENTS = 'POST /api/me/import/comments';
const IMAGES = 'POST /api/media/images';

let gateway: FakeGateway;
let server: FakeImport;
beforeEach(() => {
  gateway = fakeGateway();
  server = fakeImport(gateway);
  session.signIn(aSession('token'));
});
afterEach(() => {
  session.forceSignOut();
  jest.useRealTimers();
});

const rows = <Row>(n: number, make: (index: number) => Row) =>
  Array.from({ length: n }, (_, index) => make(index));
const manyPosts = (n: number) => rows(n, (index) => aSourcePost(`p${index}`));
const withPosts = (posts: object[], comments: object[] = []) => aDocument({ posts: { posts, comments } });
const images = (...ids: string[]) => ({
  images: ids.map((id) => ({ id, alt: `Alt of ${id}`, caption: '' })),
});

interface Given {
  files?: Readonly<Record<string, Blob>>;
  profile?: ProfileChoice;
  isCoach?: boolean;
}

const aRun = (document: unknown, { files, profile = {}, isCoach = false }: Given = {}) =>
  new ImportRun(anArchive(document, files), profile, { isCoach });

async function runs(document: unknown, given?: Given) {
  const run = aRun(document, given);
  await run.start();
  return run.getView();
}

const callsOf = (route: string) => gateway.calls.filter((call) => call === route).length;
const limited = (retryAfter: number) => problem(429, 'too-many-requests', { retryAfter });
const refusing = (...paths: string[]) =>
  Response.json(
    {
      ...{ type: 'about:blank', title: 'Refused', status: 400, code: 'validation-failed' },
      errors: paths.map((path) => ({ path, code: 'invalid-value', message: 'Post must be shorter' })),
    },
    { status: 400, headers: { 'Content-Type': 'application/problem+json' } },
  );

// Rule: ACCT-46, UI-78
describe('an import', () => {
  it('brings posts, 20 at a time, and then the comments, 100 at a time', async () => {
    const comments = rows(150, (index) => aSourceComment(`c${index}`, `p${index % 45}`));
    const view = await runs(withPosts(manyPosts(45), comments));
    expect(view).toMatchObject({
      ...{ phase: 'done', share: 1, leftOut: {} },
      ...{ posts: { done: 45, of: 45 }, comments: { done: 150, of: 150 } },
    });
    expect([callsOf(POSTS), callsOf(COMMENTS)]).toEqual([3, 2]);
    expect([server.posts.size, server.comments.size]).toEqual([45, 150]);
    expect(server.posts.get('p1')).toEqual({
      ...{ sourceId: 'p1', content: 'Text of p1', visibility: 'public', images: [], video: null },
    });
  });

  it('brings pictures with their texts and names before their post', async () => {
    const document = aDocument({
      posts: {
        posts: [aSourcePost('p1', images('i1', 'i2')), aSourcePost('p2', { content: '', ...images('i3') })],
      },
      media: { files: [{ id: 'i1', originalName: 'boat.png', originalSize: 9000 }] },
    });
    const view = await runs(document, { files: { i1: aBlob(), i2: aBlob() } });
    expect(server.uploads).toEqual(['post boat.png', 'post ']);
    expect(server.posts.get('p1')?.images).toEqual([
      { id: 'up1', alt: 'Alt of i1', caption: '' },
      { id: 'up2', alt: 'Alt of i2', caption: '' },
    ]);
    // The archive has no i3, without which p2 is empty.
    expect(server.posts.has('p2')).toBe(false);
    expect(view).toMatchObject({ files: { done: 2, of: 2 }, leftOut: { missingFiles: 1, emptyPosts: 1 } });
  });

  it('brings a video, whose key is the same each time', async () => {
    const uploads = fakeUploads();
    const film = aFile('v1.mp4', 'video/mp4', 'v'.repeat(300_000));
    const document = withPosts([
      aSourcePost('p1', { videoId: 'v1' }),
      aSourcePost('p2', { videoLink: { originalUrl: 'https://youtu.be/x' } }),
    ]);
    // jsdom's files are not of Node.
    const { File } = globalThis;
    Object.assign(globalThis, { File: film.constructor });
    try {
      expect((await runs(document, { files: { v1: film } })).phase).toBe('done');
    } finally {
      Object.assign(globalThis, { File });
      uploads.restore();
    }
    expect(uploads.requests[0]?.headers['Idempotency-Key']).toBe('import-v1');
    expect(uploads.received()).toBe(300_000);
    expect([...server.posts.values()].map(({ video }) => video)).toEqual([
      { type: 'upload', id: 'v1' },
      { type: 'url', url: 'https://youtu.be/x' },
    ]);
  });

  it('goes on where an earlier one was cut off', async () => {
    const document = withPosts(manyPosts(30), [aSourceComment('c1', 'p1'), aSourceComment('c2', 'p2')]);
    server.intercept((route) => (route === POSTS && callsOf(POSTS) === 2 ? problem(418, 'cut') : undefined));
    expect(await runs(document)).toMatchObject({ phase: 'failed', posts: { done: 20, of: 30 } });
    server.intercept(() => undefined);
    const view = await runs(document);
    expect(view).toMatchObject({ phase: 'done', posts: { done: 30, of: 30 }, comments: { done: 2, of: 2 } });
    // 20 of them once.
    expect(callsOf(POSTS)).toBe(3);
  });

  it('takes of the profile what was chosen, before the posts', async () => {
    let sent: unknown;
    gateway.on('PATCH /api/me', async (request) => {
      sent = await request.json();
      return aMe({ isCoach: true, name: 'Ana' });
    });
    const profile = { name: 'Ana', isCoach: true, pictureId: 'face' };
    const document = withPosts([aSourcePost('p1', { visibility: 'subscribers' })]);
    const view = await runs(document, { profile, files: { face: aBlob() } });
    expect(sent).toEqual({ name: 'Ana', isCoach: true, profileImageId: 'up1' });
    expect(server.uploads).toEqual(['avatar ']);
    expect(view.leftOut).toEqual({});
    expect(server.posts.has('p1')).toBe(true);
    expect(gateway.calls.indexOf('PATCH /api/me')).toBeLessThan(gateway.calls.indexOf(POSTS));
  });

  it('goes on without a profile that is refused, and tells why', async () => {
    gateway.on('PATCH /api/me', () => refusing('name'));
    const view = await runs(withPosts(manyPosts(1)), { profile: { name: 'x' } });
    expect(view).toMatchObject({
      phase: 'done',
      leftOut: { refusedProfile: 1 },
      reasons: ['Post must be shorter'],
    });
  });

  it('leaves posts for subscribers out of an account that is no coach’s, with their comments', async () => {
    const posts = [aSourcePost('p1', { visibility: 'subscribers' }), aSourcePost('p2')];
    const view = await runs(withPosts(posts, [aSourceComment('c1', 'p1'), aSourceComment('c2', 'p2')]));
    expect([...server.posts.keys(), ...server.comments.keys()]).toEqual(['p2', 'c2']);
    expect(view.leftOut).toEqual({ forSubscribers: 1, commentsElsewhere: 1 });
  });

  it('leaves out what the server does not take, with the comments on it', async () => {
    server.intercept((route, { posts = [], comments = [] }) => {
      if (route === POSTS && posts.some(({ sourceId }) => sourceId === 'p3'))
        return refusing(`posts.${posts.findIndex(({ sourceId }) => sourceId === 'p3')}.content`);
      // Without a word about which one.
      if (route === COMMENTS && comments.some(({ sourceId }) => sourceId === 'c7'))
        return problem(400, 'bad-request');
      return undefined;
    });
    const comments = rows(10, (index) => aSourceComment(`c${index}`, index === 0 ? 'p3' : 'p1'));
    const view = await runs(withPosts(manyPosts(6), comments));
    expect(view).toMatchObject({
      ...{ phase: 'done', posts: { done: 6, of: 6 }, comments: { done: 10, of: 10 } },
      leftOut: { refusedPosts: 1, commentsElsewhere: 1, refusedComments: 1 },
      reasons: ['Post must be shorter', 'bad-request'],
    });
    expect([server.posts.size, server.comments.size]).toEqual([5, 8]);
  });

  it('leaves out pictures for which there is no room, or that are none', async () => {
    const answers = [problem(413, 'quota-exceeded'), problem(422, 'unsupported-media')];
    server.intercept((route) => (route === IMAGES ? answers.shift() : undefined));
    const files = { i1: aBlob(), i2: aBlob(), i3: aBlob() };
    const view = await runs(withPosts([aSourcePost('p1', images('i1', 'i2', 'i3'))]), { files });
    expect(view).toMatchObject({
      ...{ phase: 'done', files: { done: 3, of: 3 } },
      leftOut: { filesOverQuota: 1, refusedFiles: 1 },
    });
    expect(server.posts.get('p1')?.images).toHaveLength(1);
  });

  it('sends a picture again that the server has given up meanwhile, and at last leaves it out', async () => {
    let refusals = 2;
    server.intercept((route) =>
      route === POSTS && refusals-- > 0 ? problem(422, 'media-not-attachable') : undefined,
    );
    const document = withPosts([aSourcePost('p1', images('i1'))]);
    expect(await runs(document, { files: { i1: aBlob() } })).toMatchObject({
      ...{ phase: 'done', leftOut: { refusedFiles: 1 } },
    });
    expect(server.uploads).toHaveLength(2);
    expect(server.posts.get('p1')?.images).toEqual([]);
  });

  it('ends where the account has posts of its own', async () => {
    server.intercept((route) =>
      route === 'POST /api/me/import' ? problem(409, 'account-not-empty') : undefined,
    );
    const view = await runs(withPosts(manyPosts(1)), { profile: { name: 'Ana' } });
    expect(view).toMatchObject({ phase: 'failed', failure: { code: 'account-not-empty' } });
    expect(gateway.calls).toEqual(['POST /api/me/import']);
  });

  it('ends where the file is gone', async () => {
    const archive = anArchive(withPosts([aSourcePost('p1', images('i1'))]), { i1: aBlob() });
    const run = new ImportRun(
      { ...archive, read: async () => Promise.reject(new ArchiveError('gone')) },
      {},
      { isCoach: false },
    );
    await run.start();
    expect(run.getView()).toMatchObject({ phase: 'failed', failure: { fault: 'gone' } });
  });
});

// Rule: UI-78
describe('an import that cannot go on at the moment', () => {
  const waitingOf = (run: ImportRun) => run.getView().waiting?.for;
  const until = async (isTrue: () => boolean) => {
    for (let turns = 0; !isTrue(); turns += 1) {
      if (turns > 1000) throw new Error('it has not come to that');
      await jest.advanceTimersByTimeAsync(0);
    }
  };
  beforeEach(() => void jest.useFakeTimers());

  it('waits for the network for as long as it takes', async () => {
    server.intercept((route) => {
      if (route === POSTS) throw new TypeError('Failed to fetch');
      return undefined;
    });
    const run = aRun(withPosts(manyPosts(1)));
    const ended = run.start();
    await until(() => waitingOf(run) === 'network');
    await jest.advanceTimersByTimeAsync(3 * 60 * 60_000);
    expect([run.getView().phase, waitingOf(run)]).toEqual(['running', 'network']);
    server.intercept(() => undefined);
    window.dispatchEvent(new Event('online'));
    await ended;
    expect(run.getView()).toMatchObject({ phase: 'done', waiting: undefined });
    expect(server.posts.size).toBe(1);
  });

  it('waits as long as the server asks for, also when somebody comes back to the page', async () => {
    server.intercept((route) => (route === IMAGES && callsOf(IMAGES) === 1 ? limited(1800) : undefined));
    const run = aRun(withPosts([aSourcePost('p1', images('i1'))]), { files: { i1: aBlob() } });
    const began = Date.now();
    const ended = run.start();
    await until(() => waitingOf(run) === 'limit');
    expect(run.getView().waiting).toEqual({ for: 'limit', until: began + 1_800_000 });
    await jest.advanceTimersByTimeAsync(1_799_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await jest.advanceTimersByTimeAsync(0);
    expect(callsOf(IMAGES)).toBe(1);
    await jest.advanceTimersByTimeAsync(1_001);
    await ended;
    expect(run.getView().phase).toBe('done');
    expect(callsOf(IMAGES)).toBe(2);
  });

  it('gives a server that fails some minutes, and can go on later', async () => {
    server.intercept((route) => (route === POSTS ? problem(500, 'internal') : undefined));
    const run = aRun(withPosts(manyPosts(1)));
    const ended = run.start();
    await until(() => waitingOf(run) === 'server');
    await jest.advanceTimersByTimeAsync(15 * 60_000);
    await ended;
    expect(run.getView()).toMatchObject({ phase: 'failed', failure: { status: 500 } });
    server.intercept(() => undefined);
    await run.start();
    expect(run.getView()).toMatchObject({ phase: 'done', failure: undefined });
  });

  it('is stopped, and goes on', async () => {
    server.intercept((route) => (route === POSTS && callsOf(POSTS) === 2 ? limited(600) : undefined));
    const run = aRun(withPosts(manyPosts(25)));
    const ended = run.start();
    await until(() => waitingOf(run) === 'limit');
    run.stop();
    await ended;
    expect(run.getView()).toMatchObject({
      phase: 'stopped',
      waiting: undefined,
      posts: { done: 20, of: 25 },
    });
    await run.start();
    expect(run.getView()).toMatchObject({ phase: 'done', posts: { done: 25, of: 25 } });
    expect(callsOf(POSTS)).toBe(3);
  });

  it('ends with the session', async () => {
    server.intercept((route) => (route === POSTS ? limited(600) : undefined));
    const run = aRun(withPosts(manyPosts(1)));
    const ended = run.start();
    await until(() => waitingOf(run) === 'limit');
    run.end();
    await ended;
    expect(run.getView()).toMatchObject({ phase: 'failed', failure: { name: 'SessionOverError' } });
    await jest.advanceTimersByTimeAsync(700_000);
    expect(callsOf(POSTS)).toBe(1);
  });
});
