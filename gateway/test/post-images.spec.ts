import {
  DomainError,
  permissionDenied,
  unavailable,
  validationFailed,
} from '@pulso/platform/errors/domain-error';
import { aPost, encodedPage, POST_ID, USER_ID } from './support/fake-clients.js';
import { answerOf, requestsOf } from './support/calls.js';
import {
  type CallOptions,
  startGatewayForThisTest,
  startTestGateway,
  type TestGateway,
} from './support/start-test-gateway.js';

describe('a post with images', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  beforeEach(() => gateway.resetServices());
  afterAll(() => gateway?.close());

  const call = (method: string, path: string, options?: CallOptions) =>
    answerOf(gateway, method, path, options);
  const requests = (method: string) => requestsOf(gateway, method);

  // Rule: MEDIA-17
  it('is published with images that media has claimed for it', async () => {
    const images = [{ id: POST_ID, alt: ' A rower ', caption: 'Early' }, { id: 'picture' }];
    const chosen = [
      { id: POST_ID, alt: 'A rower', caption: 'Early' },
      { id: 'picture', alt: '', caption: '' },
    ];
    await call('POST', '/api/posts', { json: { images }, headers: { 'idempotency-key': 'one tap' } });
    expect(requests('claimForPost')).toEqual([
      { ids: [POST_ID, 'picture'], postId: expect.any(String), publicationKey: 'one tap' },
    ]);
    expect(requests('publishPost')).toMatchObject([{ images: chosen, ticket: 'ticket' }]);
    gateway.calls.splice(0);
    for (let count = 0; count < 2; count++) await call('POST', '/api/posts', { json: { images } });
    const keys = requests('claimForPost').map(({ publicationKey }) => publicationKey);
    expect(new Set([...keys, '', undefined]).size).toBe(4);
    gateway.calls.splice(0);
    await call('PATCH', `/api/posts/${POST_ID}`, { json: { images } });
    expect(requests('claimForPost')).toEqual([
      { ids: [POST_ID, 'picture'], postId: POST_ID, publicationKey: '' },
    ]);
    expect(requests('editPost')).toMatchObject([{ images: { items: chosen }, ticket: 'ticket' }]);
  });

  // Rule: MEDIA-17
  it('lets posts refuse images that media does not, after its own reasons', async () => {
    const refusal = new DomainError('media-not-attachable', 'This image or video cannot be attached.');
    gateway.media.claimForPost = () => Promise.reject(refusal);
    gateway.posts.publishPost = () => Promise.reject(refusal);
    gateway.posts.editPost = () => Promise.reject(permissionDenied('Only the author can edit a post.'));
    const media = { json: { images: [{ id: POST_ID }] } };
    const refused = await call('POST', '/api/posts', media);
    expect(refused).toMatchObject({ status: 422, body: { code: 'media-not-attachable' } });
    expect((await call('PATCH', `/api/posts/${POST_ID}`, media)).status).toBe(403);
    for (const method of ['publishPost', 'editPost']) {
      expect(requests(method).map(({ ticket }) => ticket)).toEqual([undefined]);
    }
    gateway.media.claimForPost = () => Promise.reject(unavailable());
    expect((await call('POST', '/api/posts', media)).status).toBe(503);
    expect(requests('publishPost')).toHaveLength(1);
  });

  // Rule: MEDIA-17
  it('has its images given back when posts refuses it for sure, whatever media says to that', async () => {
    gateway.media.claimForPost = () => Promise.resolve({ ticket: 'ticket', postId: 'the key’s' });
    gateway.media.releaseClaim = () => Promise.reject(unavailable());
    const refuse = (error: Error) => {
      gateway.posts.publishPost = () => Promise.reject(error);
      gateway.posts.editPost = () => Promise.reject(error);
    };
    const statuses = async () => {
      const media = { json: { images: [{ id: POST_ID }] } };
      return [
        (await call('POST', '/api/posts', media)).status,
        (await call('PATCH', `/api/posts/${POST_ID}`, media)).status,
      ];
    };
    refuse(permissionDenied());
    expect(await statuses()).toEqual([403, 403]);
    const problem = { path: 'video', code: 'images-and-video', message: 'Refused' } as const;
    refuse(validationFailed([problem]));
    expect(await statuses()).toEqual([400, 400]);
    const release = { ids: [POST_ID], postId: 'the key’s' };
    expect(requests('releaseClaim')).toEqual([release, release, release, release]);
    gateway.calls.splice(0);
    // Posts may have written.
    refuse(unavailable());
    expect(await statuses()).toEqual([503, 503]);
    refuse(new DomainError('idempotency-in-progress', 'The first one runs.'));
    expect(await statuses()).toEqual([409, 409]);
    refuse(new Error('unknown'));
    expect(await statuses()).toEqual([500, 500]);
    expect(requests('releaseClaim')).toEqual([]);
  });

  // Rule: MEDIA-17
  it('is refused as posts refuses it, and a log says that its media could not be given back', async () => {
    const lines: string[] = [];
    const logged = await startGatewayForThisTest({}, { write: (line) => lines.push(line) });
    logged.media.releaseClaim = () => Promise.reject(unavailable());
    logged.posts.publishPost = () => Promise.reject(permissionDenied());
    logged.identity.updateMe = () => Promise.reject(new DomainError('username-taken', 'Refused'));
    const picture = { profileImageId: POST_ID };
    expect((await logged.call('POST', '/api/posts', { json: { images: [{ id: POST_ID }] } })).status).toBe(
      403,
    );
    expect((await logged.call('PATCH', '/api/me', { json: picture })).status).toBe(409);
    await logged.close();
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.filter(({ msg }) => msg === 'claimed media could not be given back')).toMatchObject([
      { level: 'warn', media: [POST_ID], err: { code: 'unavailable' } },
      { level: 'warn', media: [POST_ID], postId: USER_ID, err: { code: 'unavailable' } },
    ]);
  });

  it('has what the service lets it have: an image twice, or nothing', async () => {
    const twice = [{ id: POST_ID }, { id: POST_ID }];
    await call('POST', '/api/posts', { json: { images: twice } });
    await call('POST', '/api/posts', { json: { content: ' ', images: [], video: null } });
    const images = twice.map(({ id }) => ({ id, alt: '', caption: '' }));
    expect(requests('publishPost')).toMatchObject([{ images }, { content: '', images: [] }]);
  });

  // Rule: MEDIA-17, POST-5
  it('has nothing claimed where there is no image', async () => {
    await call('POST', '/api/posts', { json: { content: 'x' } });
    await call('PATCH', `/api/posts/${POST_ID}`, { json: { images: [] } });
    await call('PATCH', `/api/posts/${POST_ID}`, { json: { content: 'y' } });
    expect(requests('claimForPost')).toEqual([]);
    expect(requests('publishPost')).toMatchObject([{ images: [], ticket: undefined }]);
    expect(requests('editPost').map(({ images }) => images)).toEqual([{ items: [] }, undefined]);
  });

  it('has its images with addresses and what is known of them', async () => {
    const image = {
      id: POST_ID,
      url: `/media/${POST_ID}/full?e=1&k=k1&s=mac`,
      thumbnail: `/media/${POST_ID}/thumbnail?e=1&k=k1&s=mac`,
      alt: 'A rower',
      caption: '',
      blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
    };
    const facts = {
      originalName: 'r.png',
      originalSize: 2_400_000,
      bytes: 310_000,
      width: 1600,
      height: 900,
    };
    const pictured = aPost({ images: [{ ...image, ...facts }], imageCount: 1 });
    gateway.posts.getPost = () => Promise.resolve(pictured);
    gateway.posts.getFeed = () => Promise.resolve(encodedPage({ items: [pictured], nextCursor: '' }));
    const metadata = {
      originalName: 'r.png',
      originalSize: 2_400_000,
      compressedSize: 310_000,
      compressionRatio: 7.74,
      dimensions: { width: 1600, height: 900 },
    };
    const expected = { id: POST_ID, images: [{ ...image, metadata }], imageCount: 1 };
    expect((await call('GET', `/api/posts/${POST_ID}`)).body).toMatchObject(expected);
    expect((await call('GET', '/api/feed')).body).toMatchObject({ items: [expected] });
  });
});
