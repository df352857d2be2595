import { permissionDenied, unavailable } from '@pulso/platform/errors/domain-error';
import { aComment, aPost, POST_ID, TIME } from './support/fake-clients.js';
import { answerOf, requestsOf } from './support/calls.js';
import { type CallOptions, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

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
    expect(requests('releaseClaim').map(({ postId }) => postId)).toEqual([
      `imported-${SECOND}`,
      `imported-${FIRST}`,
    ]);
    gateway.calls.splice(0);
    gateway.posts.importPosts = () => Promise.reject(unavailable());
    expect((await call('/posts', { json: { posts } })).status).toBe(503);
    expect(requests('releaseClaim')).toEqual([]);
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
