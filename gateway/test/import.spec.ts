import { DomainError, permissionDenied, unavailable } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { RATE_LIMITS } from '../src/rate-limit/limits.js';
import { aComment, aPost, POST_ID, TIME } from './support/fake-clients.js';
import { answerOf, requestsOf } from './support/calls.js';
import {
  type CallOptions,
  startGatewayForThisTest,
  startTestGateway,
  type TestGateway,
} from './support/start-test-gateway.js';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((name) => `source-${name}`) as [
  string,
  string,
  string,
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const call = (path: string, options?: CallOptions) =>
  answerOf(gateway, options ? 'POST' : 'GET', `/api/me/import${path}`, options);
const requests = (method: string) => requestsOf(gateway, method);

// Rule: ACCT-46, HTTP-46
describe('an import', () => {
  it('begins from a source, and tells which ids are not there', async () => {
    gateway.posts.findImported = ({ postIds, commentIds }) =>
      Promise.resolve({
        posts: postIds.map((id) => ({ id: `of ${id}`, imported: id === FIRST })),
        comments: commentIds.map((id) => ({ id: `of ${id}`, imported: false })),
      });
    expect((await call('')).body).toEqual({ sourceUserId: null, posts: 0, comments: 0 });
    const begun = await call('', { json: { sourceUserId: 'ada' } });
    expect(begun).toMatchObject({ status: 200, body: { sourceUserId: 'ada', posts: 0, comments: 0 } });
    const pending = await call('/pending', { json: { posts: [FIRST, SECOND], comments: [THIRD] } });
    expect(pending.body).toEqual({ posts: [SECOND], comments: [THIRD] });
  });

  it('has the media of each missing post claimed for the id that it will have', async () => {
    gateway.posts.findImported = ({ postIds }) =>
      Promise.resolve({
        posts: postIds.map((id) => ({ id: `of ${id}`, imported: id === SECOND })),
        comments: [],
      });
    gateway.media.claimForPost = ({ postId }) => Promise.resolve({ ticket: `for ${postId}`, postId });
    gateway.posts.importPosts = () => Promise.resolve({ ids: [`of ${FIRST}`, '', `of ${THIRD}`] });
    const images = [{ id: POST_ID, alt: 'A rower' }];
    const editedAt = new Date(TIME).toISOString();
    const posts = [
      { sourceId: FIRST, images, editedAt },
      { sourceId: SECOND, images },
      { sourceId: THIRD, video: { type: 'upload', id: POST_ID }, visibility: 'subscribers' },
    ];
    const { status, body } = await call('/posts', { json: { posts } });
    expect([status, body]).toEqual([
      200,
      {
        posts: [
          { sourceId: FIRST, id: `of ${FIRST}` },
          { sourceId: SECOND, id: null },
          { sourceId: THIRD, id: `of ${THIRD}` },
        ],
      },
    ]);
    expect(requests('claimForPost')).toEqual([
      expect.objectContaining({ ids: [POST_ID], postId: `of ${FIRST}`, publicationKey: '' }),
      expect.objectContaining({ videoId: POST_ID, postId: `of ${THIRD}`, publicationKey: '' }),
    ]);
    expect(requests('importPosts')).toMatchObject([
      {
        posts: [
          {
            ...{ sourceId: FIRST, editedAt: TIME },
            post: { images: [{ id: POST_ID, alt: 'A rower', caption: '' }], ticket: `for of ${FIRST}` },
          },
          { sourceId: SECOND, editedAt: undefined, post: { ticket: undefined } },
          { sourceId: THIRD, post: { video: { uploadId: POST_ID }, ticket: `for of ${THIRD}` } },
        ],
      },
    ]);
  });

  it('has all claimed media given back when posts refuses it, and kept when nobody knows', async () => {
    gateway.media.claimForPost = ({ postId }) => Promise.resolve({ ticket: 'ticket', postId });
    const posts = [FIRST, SECOND].map((sourceId) => ({ sourceId, images: [{ id: POST_ID }] }));
    gateway.posts.importPosts = () => Promise.reject(permissionDenied());
    expect((await call('/posts', { json: { posts } })).status).toBe(403);
    const both = [`imported-${FIRST}`, `imported-${SECOND}`];
    expect(requests('releaseClaim').map(({ postId }) => postId)).toEqual(both);
    gateway.calls.splice(0);
    gateway.posts.importPosts = () => Promise.reject(new DomainError('conflict', 'Begin the import first.'));
    expect((await call('/posts', { json: { posts } })).status).toBe(409);
    expect(requests('releaseClaim').map(({ postId }) => postId)).toEqual(both);
    gateway.calls.splice(0);
    gateway.posts.importPosts = () => Promise.reject(unavailable());
    expect((await call('/posts', { json: { posts } })).status).toBe(503);
    expect(requests('releaseClaim')).toEqual([]);
  });

  it('asks for all claims at once, and writes nothing while one cannot be answered', async () => {
    const postsOfAll = [FIRST, SECOND, THIRD].map((sourceId) => ({ sourceId, images: [{ id: POST_ID }] }));
    let asked = 0;
    let answer!: () => void;
    const allAsked = new Promise<void>((resolve) => (answer = resolve));
    gateway.media.claimForPost = async ({ postId }) => {
      asked += 1;
      if (asked === postsOfAll.length) answer();
      // One after the other would wait here for the request's whole time.
      await allAsked;
      return { ticket: `for ${postId}`, postId };
    };
    gateway.posts.importPosts = () => Promise.resolve({ ids: [] });
    expect((await call('/posts', { json: { posts: postsOfAll } })).status).toBe(200);
    gateway.calls.splice(0);
    gateway.media.claimForPost = ({ postId }) =>
      postId.endsWith(SECOND)
        ? Promise.reject(unavailable())
        : Promise.resolve({ ticket: `for ${postId}`, postId });
    expect((await call('/posts', { json: { posts: postsOfAll } })).status).toBe(503);
    expect(requests('importPosts')).toEqual([]);
  });

  it('claims nothing for what is no id, which posts refuses', async () => {
    gateway.posts.findImported = () =>
      Promise.resolve({ posts: [{ id: '', imported: false }], comments: [] });
    await call('/posts', { json: { posts: [{ sourceId: 'x', images: [{ id: POST_ID }] }] } });
    expect(requests('claimForPost')).toEqual([]);
    expect(requests('importPosts')).toHaveLength(1);
  });

  it('hands comments on, and says of each what its id is', async () => {
    gateway.posts.importComments = () => Promise.resolve({ ids: ['comment', ''] });
    const comments = [FIRST, SECOND].map((sourceId) => ({ sourceId, postSourceId: THIRD, content: ' Hm ' }));
    const { body } = await call('/comments', { json: { comments } });
    expect(body).toEqual({
      comments: [
        { sourceId: FIRST, id: 'comment' },
        { sourceId: SECOND, id: null },
      ],
    });
    expect(requests('importComments')).toMatchObject([
      { comments: [{ sourceId: FIRST, postSourceId: THIRD, content: 'Hm' }, { sourceId: SECOND }] },
    ]);
  });

  // Rule: LIMIT-21
  it('is refused where the accounts of its network address have made all calls of the hour', async () => {
    const { hits } = RATE_LIMITS['imports-address'];
    const windows = new Map<string, number>();
    const limited = await startGatewayForThisTest({
      RATE_LIMIT_FACTOR: 1,
      rateLimits: {
        hit: (key, windowMs) => {
          const first = key.startsWith('imports-address:') ? hits : 1;
          windows.set(key, (windows.get(key) ?? first - 1) + 1);
          return { hits: windows.get(key)!, endsAt: TIME + windowMs };
        },
        takeBack: () => undefined,
      },
    });
    const statusOf = async (path: string, json: object, token = limited.token) =>
      (await answerOf(limited, 'POST', `/api/me/import${path}`, { json, token })).status;
    expect(await statusOf('', { sourceUserId: 'ada' })).toBe(200);
    const other = await limited.tokenFor(newId());
    for (const [path, body] of Object.entries({
      '': { sourceUserId: 'ada' },
      '/pending': { posts: [FIRST], comments: [] },
      '/posts': { posts: [{ sourceId: FIRST, content: 'Hello' }] },
      '/comments': { comments: [{ sourceId: SECOND, postSourceId: FIRST, content: 'Hm' }] },
    }))
      expect([path, await statusOf(path, body, other)]).toEqual([path, 429]);
    expect(requestsOf(limited, 'importPosts')).toEqual([]);
    expect((await answerOf(limited, 'GET', '/api/me/import')).status).toBe(200);
  });

  it('is told of posts and comments alone that are from elsewhere', async () => {
    gateway.posts.getPost = () => Promise.resolve(aPost({ importedAt: TIME }));
    gateway.posts.listComments = () =>
      Promise.resolve({ items: [aComment({ importedAt: TIME }), aComment()], nextCursor: '' });
    const post = await answerOf(gateway, 'GET', `/api/posts/${POST_ID}`);
    expect(post.body).toMatchObject({ importedAt: new Date(TIME).toISOString() });
    const { body } = await answerOf(gateway, 'GET', `/api/posts/${POST_ID}/comments`);
    const [brought, written] = (body as { items: object[] }).items;
    expect(brought).toMatchObject({ importedAt: new Date(TIME).toISOString() });
    expect(written).not.toHaveProperty('importedAt');
  });
});
