import { newId } from '@pulso/platform/ids/uuid-v7';
import { aPicture } from '../support/a-picture.js';
import type { Answer, ApiClient, ApiPost, Page } from '../support/api-client.js';
import type { PulsoByApi, TestPulso } from '../support/start-pulso.js';
import { waitForEqual } from '../support/wait-for.js';

interface ApiImage {
  id: string;
  url: string;
  thumbnail: string;
  alt: string;
  caption: string;
  blurhash: string;
  metadata: {
    originalName: string;
    originalSize: number;
    compressedSize: number;
    dimensions: { width: number; height: number };
  };
}

type PicturedPost = ApiPost & { images: ApiImage[]; imageCount: number; editedAt: string | null };

/** Without an operator one test is left out, which is about what operators do. */
export const postPictures = (shared: () => PulsoByApi, operate?: () => TestPulso['operate']) =>
  describe('pictures in posts', () => {
    let pulso: PulsoByApi;
    let cora: ApiClient;
    let dan: ApiClient;

    beforeAll(async () => {
      pulso = shared();
      cora = await pulso.user('cora-pictures', { isCoach: true });
      dan = await pulso.user('dan-pictures');
      await pulso.drainEvents();
    });

    const upload = async (client: ApiClient, file: Buffer = aPicture(), purpose = 'post') => {
      const form = new FormData();
      form.append('purpose', purpose);
      form.append('originalName', 'Rowing “at dawn” ☀️.png');
      form.append('originalSize', '5000000');
      form.append('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'picture.png');
      return client.post<ApiImage & { code?: string }>('/api/media/images', form);
    };
    const picture = async (client: ApiClient, red?: number) => {
      const { status, body } = await upload(client, aPicture(1200, 800, red));
      if (status !== 201) throw new Error(`Upload: ${JSON.stringify(body)}`);
      return body;
    };
    /** As a browser asks: without any token. */
    const open = (address: string, headers: Record<string, string> = {}) =>
      fetch(`${pulso.url}${address}`, { headers });
    const statusOf = async (address: string) => {
      const answer = await open(address);
      await answer.arrayBuffer();
      return answer.status;
    };
    const becomes = (address: string, status: number) =>
      waitForEqual(() => statusOf(address), status, { what: `the status of ${address}` });
    const used = async (client: ApiClient) =>
      (await client.get<{ bytesUsed: number }>('/api/storage')).body.bytesUsed;
    const publish = (client: ApiClient, body: object, headers?: Record<string, string>) =>
      client.post<PicturedPost>('/api/posts', body, headers);
    const refused = (answer: Answer) => [answer.status, answer.body.code];
    const NOT_ATTACHABLE = [422, 'media-not-attachable'];

    // Rule: POST-1, MEDIA-13, MEDIA-17, MEDIA-20
    it('publishes uploaded pictures, which everyone may fetch and keep', async () => {
      const [first, second] = [await picture(cora, 10), await picture(cora, 200)];
      expect(first.metadata).toMatchObject({
        originalName: 'Rowing “at dawn” ☀️.png',
        originalSize: 5_000_000,
        dimensions: { width: 1200, height: 800 },
      });
      const post = await publish(cora, {
        images: [{ id: second.id, alt: 'The boat', caption: 'Early' }, { id: first.id }],
      });
      expect(post).toMatchObject({ status: 201, body: { content: '', imageCount: 2 } });
      const { images } = (await pulso.visitor().get<PicturedPost>(`/api/posts/${post.body.id}`)).body;
      expect(images).toMatchObject([
        {
          ...second,
          url: expect.anything(),
          thumbnail: expect.anything(),
          alt: 'The boat',
          caption: 'Early',
        },
        { id: first.id, alt: '', caption: '' },
      ]);
      const full = await open(images[0]!.url);
      expect(full.status).toBe(200);
      expect(Object.fromEntries(full.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=3600, immutable',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
      });
      const bytes = Buffer.from(await full.arrayBuffer());
      expect(bytes).toHaveLength(second.metadata.compressedSize);
      expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
      const etag = full.headers.get('etag')!;
      expect((await open(images[0]!.url, { 'if-none-match': etag })).status).toBe(304);
      const part = await open(images[0]!.url, { range: 'bytes=1-3' });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(1, 4));
      expect(await statusOf(images[0]!.thumbnail)).toBe(200);
      expect(await used(cora)).toBe(first.metadata.compressedSize + second.metadata.compressedSize);
    });

    // Rule: POST-6, MEDIA-19
    it('keeps the pictures of a subscribers-only post to those with access', async () => {
      const { id } = await picture(cora);
      const post = (await publish(cora, { images: [{ id }], visibility: 'subscribers' })).body;
      const [image] = post.images;
      for (const viewer of [dan, pulso.visitor()]) {
        const seen = (await viewer.get<PicturedPost>(`/api/posts/${post.id}`)).body;
        expect(seen).toMatchObject({ locked: true, imageCount: 1, images: [] });
        expect(JSON.stringify(seen)).not.toContain('/media/');
      }
      const answer = await open(image!.thumbnail);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/);
      expect(await statusOf(image!.thumbnail.replace('/thumbnail', '/full'))).toBe(403);
      expect(await statusOf(`/media/${id}/full`)).toBe(403);
      expect(await statusOf(image!.url.replace(/x=\d+/, 'x=99999999999999'))).toBe(403);

      const opened = await cora.patch<PicturedPost>(`/api/posts/${post.id}`, { visibility: 'public' });
      await becomes(image!.url, 403);
      const everyones = opened.body.images[0]!.url;
      expect(await statusOf(everyones)).toBe(200);
      const closed = await cora.patch<PicturedPost>(`/api/posts/${post.id}`, { visibility: 'subscribers' });
      await becomes(everyones, 403);
      expect(await statusOf(closed.body.images[0]!.url)).toBe(200);
    });

    // Rule: MEDIA-17
    it('refuses pictures that cannot be attached, after reasons of its own', async () => {
      const [mine, theirs] = [await picture(cora), await picture(dan)];
      const avatar = await upload(cora, aPicture(400, 400), 'avatar');
      expect(avatar.status).toBe(201);
      const post = (await publish(cora, { content: 'x', images: [{ id: mine.id }] })).body;
      for (const id of [mine.id, theirs.id, avatar.body.id, newId(), 'nonsense']) {
        expect(refused(await cora.post('/api/posts', { images: [{ id }] }))).toEqual(NOT_ATTACHABLE);
        const other = (await publish(cora, { content: 'another' })).body;
        const path = `/api/posts/${other.id}`;
        expect(refused(await cora.patch(path, { images: [{ id }] }))).toEqual(NOT_ATTACHABLE);
        await cora.delete(path);
      }
      const images = [{ id: newId() }];
      expect(refused(await dan.patch(`/api/posts/${post.id}`, { images }))).toEqual([
        403,
        'permission-denied',
      ]);
      expect(refused(await cora.patch(`/api/posts/${newId()}`, { images }))).toEqual([404, 'not-found']);
      const closed = await dan.post('/api/posts', { images, visibility: 'subscribers' });
      expect(refused(closed)).toEqual([403, 'permission-denied']);
      expect(refused(await cora.delete(`/api/media/${mine.id}`))).toEqual([409, 'media-attached']);
      const theirImages = { images: [{ id: theirs.id }] };
      const forSubscribers = { ...theirImages, visibility: 'subscribers' };
      expect(refused(await dan.post('/api/posts', forSubscribers))).toEqual([403, 'permission-denied']);
      expect((await dan.delete(`/api/media/${theirs.id}`)).status).toBe(204);
      const again = await picture(dan);
      const closedOnce = { images: [{ id: again.id }], visibility: 'subscribers' };
      expect(refused(await dan.post('/api/posts', closedOnce))).toEqual([403, 'permission-denied']);
      const opened = await publish(dan, { images: [{ id: again.id }] });
      expect(opened.status).toBe(201);
      await dan.delete(`/api/posts/${opened.body.id}`);
      expect((await cora.delete(`/api/media/${avatar.body.id}`)).status).toBe(204);
    });

    if (operate)
      // Rule: MEDIA-22, PEOPLE-37
      it('hides the pictures of a post that a moderator hides from all but its author', async () => {
        const { id } = await picture(cora);
        const post = (await publish(cora, { images: [{ id }] })).body;
        const everyones = post.images[0]!.url;
        expect(await statusOf(everyones)).toBe(200);
        await operate()('social', 'hide-post', post.id, '--by', 'mo');
        await becomes(everyones, 404);
        await pulso.drainEvents();
        const own = (await cora.get<PicturedPost>(`/api/posts/${post.id}`)).body.images[0]!.url;
        expect(await statusOf(own)).toBe(200);
        await operate()('social', 'unhide-post', post.id, '--by', 'mo');
        await becomes(everyones, 200);
      });

    // Rule: POST-12, MEDIA-17
    it('publishes once for one key', async () => {
      const { id } = await picture(dan);
      const key = { 'idempotency-key': 'one picture' };
      const raced = await Promise.all(
        Array.from({ length: 5 }, () => publish(dan, { images: [{ id }] }, key)),
      );
      const again = await publish(dan, { images: [{ id }] }, key);
      for (const answer of [...raced, again]) {
        expect(answer).toMatchObject({ status: 201, body: { id: again.body.id, images: [{ id }] } });
      }
      const posts = await dan.get<Page<PicturedPost>>(`/api/users/${dan.userId}/posts`);
      expect(posts.body.items.map((post) => post.id)).toEqual([again.body.id]);
    });

    // Rule: POST-5, POST-10, MEDIA-14
    it('frees the pictures that an edit takes out, and all of them with the post', async () => {
      const before = await used(cora);
      const [kept, removed, added] = [await picture(cora, 1), await picture(cora, 2), await picture(cora, 3)];
      const post = (await publish(cora, { images: [{ id: kept.id }, { id: removed.id }] })).body;
      const path = `/api/posts/${post.id}`;
      const edited = await cora.patch<PicturedPost>(path, {
        images: [{ id: added.id }, { id: kept.id, alt: 'Kept' }],
      });
      expect(edited).toMatchObject({
        status: 200,
        body: { imageCount: 2, images: [{ id: added.id }, { id: kept.id, alt: 'Kept' }] },
      });
      expect(edited.body.editedAt).not.toBeNull();
      await becomes(post.images[1]!.url, 404);
      expect(await statusOf(post.images[0]!.url)).toBe(200);
      expect(await used(cora)).toBe(before + kept.metadata.compressedSize + added.metadata.compressedSize);
      const texts = await cora.patch<PicturedPost>(path, { content: 'Words' });
      expect(texts.body.images.map(({ id }) => id)).toEqual([added.id, kept.id]);

      expect((await cora.delete(path)).status).toBe(204);
      await becomes(post.images[0]!.url, 404);
      await becomes(edited.body.images[0]!.url, 404);
      await waitForEqual(() => used(cora), before, { what: 'the bytes that are used' });
      expect(refused(await cora.post('/api/posts', { images: [{ id: kept.id }] }))).toEqual(NOT_ATTACHABLE);
    });
  });
