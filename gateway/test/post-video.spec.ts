import { VideoStatus } from '@pulso/contracts/media/v1/media';
import type { PostVideo } from '@pulso/contracts/posts/v1/posts';
import { DomainError, permissionDenied, unavailable } from '@pulso/platform/errors/domain-error';
import { aPost, encodedPage, POST_ID } from './support/fake-clients.js';
import { aVideo, MEDIA_ID } from './support/fake-media.js';
import { answerOf, requestsOf } from './support/calls.js';
import { type CallOptions, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const LINK = 'https://youtu.be/M7lc1UVf-VE';

describe('a post with a video', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  beforeEach(() => gateway.resetServices());
  afterAll(() => gateway?.close());

  const call = (method: string, path: string, options?: CallOptions) =>
    answerOf(gateway, method, path, options);
  const requests = (method: string) => requestsOf(gateway, method);
  const uploaded = { json: { video: { type: 'upload', id: MEDIA_ID } } };

  // Rule: MEDIA-17, POST-1
  it('is published with the video that media has claimed for it', async () => {
    const { status } = await call('POST', '/api/posts', {
      ...uploaded,
      headers: { 'idempotency-key': 'one tap' },
    });
    expect(status).toBe(201);
    expect(requests('claimForPost')).toEqual([
      { ids: [], videoId: MEDIA_ID, postId: expect.any(String), publicationKey: 'one tap' },
    ]);
    expect(requests('publishPost')).toMatchObject([
      { content: '', images: [], video: { uploadId: MEDIA_ID }, ticket: 'ticket' },
    ]);
  });

  // Rule: POST-26
  it('is published with a link, for which nothing is claimed', async () => {
    await call('POST', '/api/posts', { json: { video: { type: 'url', url: ` ${LINK} ` } } });
    expect(requests('claimForPost')).toEqual([]);
    expect(requests('publishPost')).toMatchObject([{ video: { url: LINK }, ticket: undefined }]);
    const wrong = ['javascript:alert(1)', 'youtu.be/x', `https://example.com/${'x'.repeat(2_048)}`, ''];
    for (const url of wrong) {
      const { status, body } = await call('POST', '/api/posts', { json: { video: { type: 'url', url } } });
      expect([status, body]).toMatchObject([
        400,
        { errors: [{ path: 'video.url', code: 'invalid-url', message: 'Please enter a valid URL' }] },
      ]);
    }
  });

  // Rule: POST-2
  it('has what the service lets it have: images beside it are for posts to refuse, and nothing is claimed', async () => {
    const images = [{ id: POST_ID }];
    await call('POST', '/api/posts', { json: { images, ...uploaded.json } });
    expect(requests('claimForPost')).toEqual([]);
    expect(requests('publishPost')).toMatchObject([
      { images: [{ id: POST_ID }], video: { uploadId: MEDIA_ID }, ticket: undefined },
    ]);
  });

  // Rule: MEDIA-17
  it('lets posts refuse a video that media does not grant, after its own reasons', async () => {
    const refusal = new DomainError('media-not-attachable', 'This image or video cannot be attached.');
    gateway.media.claimForPost = () => Promise.reject(refusal);
    gateway.posts.publishPost = () => Promise.reject(refusal);
    expect(await call('POST', '/api/posts', uploaded)).toMatchObject({
      status: 422,
      body: { code: 'media-not-attachable' },
    });
    gateway.posts.publishPost = () => Promise.reject(permissionDenied());
    expect((await call('POST', '/api/posts', uploaded)).status).toBe(403);
    expect(requests('publishPost').map(({ ticket }) => ticket)).toEqual([undefined, undefined]);
    gateway.media.claimForPost = () => Promise.reject(unavailable());
    expect((await call('POST', '/api/posts', uploaded)).status).toBe(503);
    expect(requests('releaseClaim')).toEqual([]);
  });

  // Rule: MEDIA-17
  it('has its video given back when posts refuses it for sure, and not where that is not known', async () => {
    gateway.media.claimForPost = () => Promise.resolve({ ticket: 'ticket', postId: 'the key’s' });
    gateway.posts.publishPost = () => Promise.reject(permissionDenied());
    expect((await call('POST', '/api/posts', uploaded)).status).toBe(403);
    expect(requests('releaseClaim')).toEqual([{ ids: [MEDIA_ID], postId: 'the key’s' }]);
    gateway.posts.publishPost = () => Promise.reject(unavailable());
    expect((await call('POST', '/api/posts', uploaded)).status).toBe(503);
    expect(requests('releaseClaim')).toHaveLength(1);
  });

  // Rule: POST-5
  it('can lose its video by an edit, and keeps it otherwise', async () => {
    const edit = (json: object) => call('PATCH', `/api/posts/${POST_ID}`, { json });
    await edit({ video: null });
    await edit({ content: 'y' });
    await edit({ video: null, images: [{ id: MEDIA_ID }] });
    expect(requests('editPost').map(({ removeVideo }) => removeVideo)).toEqual([true, false, true]);
    expect(requests('claimForPost')).toMatchObject([{ ids: [MEDIA_ID], videoId: undefined }]);
    expect((await edit({ video: { type: 'upload', id: MEDIA_ID } })).status).toBe(400);
  });

  describe('is answered', () => {
    const { facts, url, thumbnail } = aVideo();
    const metadata = {
      ...{ duration: 12.5, size: 7_340_032, name: 'start.mp4', type: 'video/mp4' },
      ...{ width: 1080, height: 1920 },
    };
    const common = { type: 'upload', id: MEDIA_ID };
    const linked = (platform: number) => ({ url: 'u', originalUrl: LINK, platform, direct: false });
    const unready = { duration: 0, size: 9, name: 'start.mp4', type: 'video/mp4', width: 0, height: 0 };
    const small = { ...facts!, bytes: 9, durationMs: 0, width: 0, height: 0 };
    const { VIDEO_STATUS_PROCESSING, VIDEO_STATUS_FAILED } = VideoStatus;
    const failed = { ...small, status: VIDEO_STATUS_FAILED };

    it.each<[string, PostVideo, object]>([
      [
        'an upload that is ready',
        { upload: { facts, url, thumbnail } },
        { ...common, status: 'ready', problem: null, url, thumbnail, metadata },
      ],
      [
        'an upload that is processed',
        { upload: { facts: { ...small, status: VIDEO_STATUS_PROCESSING }, url: '', thumbnail: '' } },
        { ...common, status: 'processing', problem: null, url: '', thumbnail: '', metadata: unready },
      ],
      [
        'an upload that has failed, to its author',
        { upload: { facts: { ...failed, problem: 'Broken' }, url: '', thumbnail: '' } },
        { ...common, status: 'failed', problem: 'Broken', url: '', thumbnail: '', metadata: unready },
      ],
      [
        'an upload that has failed, to others',
        { upload: { facts: failed, url: '', thumbnail: '' } },
        { ...common, status: 'failed', problem: null, url: '', thumbnail: '', metadata: unready },
      ],
      ...(['youtube', 'vimeo', 'external'] as const).map((platform, index): [string, PostVideo, object] => [
        `a link: ${platform}`,
        { link: linked(index + 1) },
        { type: 'url', url: 'u', originalUrl: LINK, metadata: { platform, direct: false } },
      ]),
      [
        'a link to a file',
        { link: { ...linked(3), direct: true } },
        { type: 'url', url: 'u', originalUrl: LINK, metadata: { platform: 'external', direct: true } },
      ],
    ])('%s', async (_name, video, expected) => {
      const post = aPost({ hasVideo: true, video });
      gateway.posts.getPost = () => Promise.resolve(post);
      gateway.posts.getFeed = () => Promise.resolve(encodedPage({ items: [post], nextCursor: '' }));
      const shown = { id: POST_ID, hasVideo: true, images: [], video: expected };
      expect((await call('GET', `/api/posts/${POST_ID}`)).body).toMatchObject(shown);
      expect((await call('GET', '/api/feed')).body).toMatchObject({ items: [shown] });
    });

    it('as nothing while the post is locked', async () => {
      gateway.posts.getPost = () => Promise.resolve(aPost({ hasVideo: true, locked: true }));
      expect((await call('GET', `/api/posts/${POST_ID}`)).body).toMatchObject({
        hasVideo: true,
        video: null,
      });
    });
  });
});
