import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { TusClient } from '@pulso/platform/testing/tus-client';
import type { Answer, ApiClient, ApiPost } from '../support/api-client.js';
import {
  leaksOf,
  pathsThatTell,
  signerOf,
  toldTo,
  type Ways,
  waysToObject,
  withParameters,
} from '../support/media-attacks.js';
import { rawRequest } from '../support/raw-request.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

interface ApiVideo {
  id: string;
  status: string;
  url: string;
  thumbnail: string;
  metadata: { duration: number; name: string };
}
type VideoPost = ApiPost & { video: ApiVideo | null; hasVideo: boolean };

/** Small enough for one request (MEDIA-9), and shorter than two and a half minutes: its addresses live 5 minutes. */
const CLIP = new URL('../../deploy/embedded/demo-media/morning-run.mp4', import.meta.url);
const LIFE_MS = 5 * 60_000;
const NAME = 'secret-name.mp4';
const PATH_AS_NAME = `../../${NAME}`;
const NOT_ATTACHABLE = [422, 'media-not-attachable'];
const refused = ({ status, body }: Answer) => [status, body['code']];

/** What an attacker tries to get at the video of a subscribers-only post, or at another's upload: docs/abuse.md. */
export const closedVideos = (shared: () => JourneyPulso) =>
  describe('videos of subscribers-only posts', () => {
    let pulso: JourneyPulso;
    let coach: ApiClient;
    let follower: ApiClient;
    let former: ApiClient;
    let subscriber: ApiClient;
    let post: VideoPost;
    let video: ApiVideo;
    let open: ApiVideo;

    const upload = async (client: ApiClient, name: string): Promise<ApiVideo> => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(readFileSync(CLIP))], { type: 'video/mp4' }), name);
      const uploaded = await client.post<ApiVideo>('/api/media/videos', form);
      expect(uploaded.status).toBe(201);
      const ask = async () => (await client.get<ApiVideo>(`/api/media/${uploaded.body.id}`)).body;
      const isDone = ({ status }: ApiVideo) => status === 'ready' || status === 'failed';
      const made = await waitFor(ask, isDone, { what: 'the end of the worker’s work on a video' });
      expect(made.status).toBe('ready');
      return made;
    };
    const chosen = (id: string) => ({ video: { type: 'upload', id } });
    const publish = async (body: object) => {
      const answer = await coach.post<VideoPost>('/api/posts', body);
      expect(answer.status).toBe(201);
      return answer.body;
    };
    const read = async (client: ApiClient) => (await client.get<VideoPost>(`/api/posts/${post.id}`)).body;
    const seenBy = (client: ApiClient) =>
      waitFor(
        () => read(client),
        (seen) => seen.video?.url !== undefined && seen.video.url !== '',
        { what: 'the video as a subscriber sees it' },
      );
    const statusOf = async (address: string) => (await rawRequest(pulso.url, address)).status;
    const becomes = (address: string, status: number) =>
      waitForEqual(() => statusOf(address), status, { what: `the status of ${address}` });
    const leaks = (ways: Ways) => leaksOf(pulso.url, ways);
    const queryOf = (address: string) => address.slice(address.indexOf('?'));
    const told = () => [video.id, NAME, `/media/${video.id}`];
    const paths = () => pathsThatTell({ postId: post.id, authorId: coach.userId, mediaId: video.id });

    beforeAll(async () => {
      pulso = shared();
      coach = await pulso.user('coach-films', { isCoach: true });
      [follower, former, subscriber] = [
        await pulso.user('follows-films'),
        await pulso.user('left-films'),
        await pulso.user('pays-films'),
      ];
      await pulso.drainEvents();
      await follower.put(`/api/users/${coach.userId}/follow`);
      for (const one of [former, subscriber])
        expect((await one.put(`/api/subscriptions/${coach.userId}`)).status).toBe(201);
      const [closed, everyones] = [await upload(coach, PATH_AS_NAME), await upload(coach, 'open.mp4')];
      expect(closed.metadata.name).toBe(NAME);
      post = await publish({
        ...chosen(closed.id),
        content: 'For those who pay, @follows-films and @pays-films',
        visibility: 'subscribers',
      });
      open = (await publish(chosen(everyones.id))).video!;
      video = (await seenBy(subscriber)).video!;
      expect([await statusOf(video.url), await statusOf(video.thumbnail)]).toEqual([200, 200]);
    });

    // Rule: MEDIA-19, MEDIA-20
    it('are opened by nothing but their whole signed address', async () => {
      const { id, url, thumbnail } = video;
      const [path, still] = [`/media/${id}/video`, `/media/${id}/thumbnail`];
      const later = `${Number(new URLSearchParams(queryOf(url)).get('x')) + 60_000}`;
      const headers = { authorization: `Bearer ${coach.accessToken}` };
      const past = (of: string, epoch = 1) =>
        signerOf(pulso, Date.now() - 600_000).sign(of, { epoch, lifeMs: LIFE_MS });
      const before = signerOf(pulso).sign(path, { epoch: 0, lifeMs: LIFE_MS });
      const etag = { 'if-none-match': `"${id}-video"` };
      expect(
        await leaks({
          'no signature': [path],
          'no signature, the thumbnail': [still],
          'no signature, with the token of its owner': [path, { headers }],
          'no signature, HEAD': [path, { method: 'HEAD' }],
          'no signature, a range': [path, { headers: { range: 'bytes=0-99' } }],
          'no signature, the thumbnail by HEAD': [still, { method: 'HEAD' }],
          'no signature, a known ETag': [path, { headers: etag }],
          'as a picture': [`/media/${id}/full${queryOf(url)}`],
          'as an avatar': [`/media/${id}/avatar`],
          'as the upload': [`/media/${id}/upload${queryOf(url)}`],
          "the thumbnail's signature": [path + queryOf(thumbnail)],
          "the thumbnail's signature, a range": [
            path + queryOf(thumbnail),
            { headers: { range: 'bytes=0-' } },
          ],
          "the video's signature for the thumbnail": [still + queryOf(url)],
          "another video's signature": [path + queryOf(open.url)],
          "another video's signature for the thumbnail": [still + queryOf(open.thumbnail)],
          'another id': [`/media/${newId()}/video${queryOf(url)}`],
          'a later expiry': [withParameters(url, { x: later })],
          'a later expiry of the thumbnail': [withParameters(thumbnail, { x: later })],
          'no expiry': [withParameters(url, { x: undefined })],
          'an earlier epoch': [withParameters(url, { e: '0' })],
          'a later epoch': [withParameters(url, { e: '99' })],
          'another key': [withParameters(url, { k: 'other' })],
          'no MAC': [withParameters(url, { s: undefined })],
          'an earlier epoch, signed': [before],
          'an address that has expired': [past(path)],
          'an address of the thumbnail that has expired': [past(still)],
          'an address of a later epoch that has expired': [past(path, 9)],
          'an expired address, HEAD': [past(path), { method: 'HEAD' }],
          'an expired address, a range': [past(path), { headers: { range: 'bytes=0-' } }],
          'an expired address, a range that starts nowhere': [
            past(path),
            { headers: { range: 'bytes=999999999-' } },
          ],
          'an expired address, a known ETag': [past(path), { headers: etag }],
          'over a video that is open': [`/media/${open.id}/../${id}/video${queryOf(open.url)}`],
        }),
      ).toEqual([]);
      expect(await leaks(waysToObject(`videos/${id.slice(-2)}/${id}-video`))).toEqual([]);
      expect(await leaks(waysToObject(`uploads/${id.slice(-2)}/${id}/0-a`))).toEqual([]);
      const calls = ['/uploads', '/videos'].map((call) => [call, [call, { method: 'POST' }]] as const);
      expect(await leaks(Object.fromEntries(calls))).toEqual([]);
      // The addresses as they are still open it: the ways above failed for what was changed.
      const part = await rawRequest(pulso.url, url, { headers: { range: 'bytes=0-9' } });
      expect([part.status, part.type, part.body.length]).toEqual([206, 'video/mp4', 10]);
      expect(await statusOf(thumbnail)).toBe(200);
    });

    // Rule: MEDIA-19
    it('are given to nobody after a cancellation, and an address from before ends with its time', async () => {
      const { url, thumbnail } = (await seenBy(former)).video!;
      expect((await former.delete(`/api/subscriptions/${coach.userId}`)).status).toBe(200);
      await waitFor(
        () => read(former),
        ({ locked }) => locked,
        { what: 'the post that is closed again' },
      );
      await pulso.drainEvents();
      for (const viewer of [pulso.visitor(), follower, former]) {
        expect(await toldTo(viewer, paths(), told())).toEqual({});
        expect(await read(viewer)).toMatchObject({ locked: true, hasVideo: true, video: null });
      }
      const after = signerOf(pulso, Date.now() + LIFE_MS);
      for (const address of [url, thumbnail]) {
        const [path, query] = address.split('?') as [string, string];
        expect(after.verify(path, new URLSearchParams(query))).toBe('expired');
        const answer = await fetch(pulso.url + address, { headers: { range: 'bytes=0-1' } });
        await answer.arrayBuffer();
        const [, kept] = /^private, max-age=(\d+), immutable$/.exec(answer.headers.get('cache-control')!)!;
        expect(Number(kept)).toBeLessThanOrEqual(LIFE_MS / 1000);
      }
    });

    // Rule: MEDIA-19
    it('are given to nobody whom their author has blocked, subscribed or not', async () => {
      const payer = await pulso.user('blocked-films');
      await pulso.drainEvents();
      expect((await payer.put(`/api/subscriptions/${coach.userId}`)).status).toBe(201);
      await seenBy(payer);
      expect((await coach.put(`/api/users/${payer.userId}/block`)).status).toBe(204);
      const status = async () => (await payer.get(`/api/posts/${post.id}`)).status;
      await waitForEqual(status, 404, { what: 'the status of the post for the blocked one' });
      await pulso.drainEvents();
      expect(await toldTo(payer, paths(), told())).toEqual({});
      // Nor once the block is over: the subscription has ended with it.
      expect((await coach.delete(`/api/users/${payer.userId}/block`)).status).toBe(204);
      await waitForEqual(status, 200, { what: 'the status of the post after the block' });
      expect(await read(payer)).toMatchObject({ locked: true, video: null });
    });

    // Rule: MEDIA-19
    it('have no address of the time in which their post was public', async () => {
      const { id } = await upload(coach, 'once-open.mp4');
      const made = await publish(chosen(id));
      const { url, thumbnail } = made.video!;
      const etag = (await fetch(pulso.url + url)).headers.get('etag')!;
      const path = `/api/posts/${made.id}`;
      const closed = await coach.patch<VideoPost>(path, { visibility: 'subscribers' });
      await becomes(url, 403);
      const ways: Ways = {
        'the video': [url],
        'the thumbnail': [thumbnail],
        HEAD: [url, { method: 'HEAD' }],
        'a range': [url, { headers: { range: 'bytes=0-9' } }],
        'a range of a known version': [url, { headers: { range: 'bytes=0-9', 'if-range': etag } }],
        'a copy that is checked again': [url, { headers: { 'if-none-match': etag } }],
        'a later epoch, forged': [withParameters(url, { e: '2' })],
      };
      expect(await leaks(ways)).toEqual([]);
      expect(await statusOf(closed.body.video!.url)).toBe(200);
      expect((await coach.delete(path)).status).toBe(204);
      await becomes(closed.body.video!.url, 404);
      const gone: Ways = { 'of a deleted post': [closed.body.video!.thumbnail] };
      expect(await leaks({ ...ways, ...gone })).toEqual([]);
    });

    // Rule: MEDIA-17
    it('are claimed by nobody else, nor twice, and not as something else', async () => {
      for (const one of [follower, subscriber, coach])
        expect(refused(await one.post('/api/posts', chosen(video.id)))).toEqual(NOT_ATTACHABLE);
      const images = { images: [{ id: video.id }] };
      const picture = { profileImageId: video.id };
      for (const one of [subscriber, coach]) {
        expect(refused(await one.post('/api/posts', images))).toEqual(NOT_ATTACHABLE);
        expect(refused(await one.patch('/api/me', picture))).toEqual(NOT_ATTACHABLE);
      }
      const other = await publish({ content: 'another' });
      expect((await coach.patch(`/api/posts/${other.id}`, chosen(video.id))).status).toBe(400);
      expect((await subscriber.get(`/api/media/${video.id}`)).status).toBe(404);
      expect((await subscriber.delete(`/api/media/${video.id}`)).status).toBe(404);
      expect(refused(await coach.delete(`/api/media/${video.id}`))).toEqual([409, 'media-attached']);
      expect((await read(subscriber)).video).toMatchObject({ id: video.id, status: 'ready' });
    });

    // Rule: MEDIA-23, MEDIA-17
    it('are nobody else’s while they are uploaded', async () => {
      const tusOf = (client: ApiClient) =>
        new TusClient(pulso.url, async () => `Bearer ${client.accessToken}`, '/api/uploads');
      const own = tusOf(coach);
      const id = await own.begin({ length: 300_000, name: PATH_AS_NAME });
      const bytes = new Uint8Array(1_000);
      expect((await own.patch(id, 0, bytes)).status).toBe(204);
      for (const [client, status] of [
        [tusOf(subscriber), 404],
        [tusOf(pulso.visitor()), 401],
      ] as const) {
        const answers = [
          await client.patch(id, 1_000, bytes),
          await client.ask('HEAD', id),
          await client.ask('DELETE', id),
        ];
        expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
      }
      expect(await own.offsetOf(id)).toBe(1_000);
      for (const one of [subscriber, coach])
        expect(refused(await one.post('/api/posts', chosen(id)))).toEqual(NOT_ATTACHABLE);
      expect((await subscriber.get(`/api/media/${id}`)).status).toBe(404);
      expect((await own.ask('DELETE', id)).status).toBe(204);
      expect(await own.offsetOf(id)).toBeUndefined();
    });

    // Rule: POST-26
    it('that are links are asked for by no server', async () => {
      const asked: (string | undefined)[] = [];
      const elsewhere = createServer(({ url }, response) => {
        asked.push(url);
        response.end();
      });
      elsewhere.listen(0, '127.0.0.1');
      await once(elsewhere, 'listening');
      const here = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/run.mp4`;
      try {
        for (const url of [
          here,
          'http://169.254.169.254/latest/meta-data/',
          'http://localhost:9090/metrics',
        ]) {
          const { id } = await publish({ video: { type: 'url', url } });
          const seen = (await coach.get<VideoPost>(`/api/posts/${id}`)).body;
          expect(seen.video).toMatchObject({ type: 'url', originalUrl: url });
          for (const path of [`/post/${id}`, `/api/users/${coach.userId}/posts`])
            await (await fetch(pulso.url + path)).text();
        }
        await pulso.drainEvents();
        expect(asked).toEqual([]);
      } finally {
        elsewhere.close();
        await once(elsewhere, 'close');
      }
    });
  });
