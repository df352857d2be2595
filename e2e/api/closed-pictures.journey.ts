import { newId } from '@pulso/platform/ids/uuid-v7';
import { aPicture } from '../support/a-picture.js';
import type { ApiClient, ApiPost } from '../support/api-client.js';
import {
  leaksOf,
  pathsThatTell,
  signerOf,
  toldTo,
  type Ways,
  waysToObject,
  withParameters,
} from '../support/media-attacks.js';
import { rawRequest, type Way } from '../support/raw-request.js';
import type { JourneyPulso } from '../support/test-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

interface ApiImage {
  id: string;
  url: string;
  thumbnail: string;
  blurhash: string;
}
type PicturedPost = ApiPost & { images: ApiImage[]; imageCount: number };
const ALT = 'the secret exercise';
const CAPTION = 'the secret place';
const NAME = 'secret-name.png';

/** What an attacker tries to get at the picture of a subscribers-only post. */
export const closedPictures = (shared: () => JourneyPulso) =>
  describe('pictures of subscribers-only posts', () => {
    let pulso: JourneyPulso;
    let coach: ApiClient;
    let follower: ApiClient;
    let former: ApiClient;
    let subscriber: ApiClient;
    let post: PicturedPost;
    let image: ApiImage;
    let open: ApiImage;

    const upload = async (client: ApiClient, name: string, red: number): Promise<ApiImage> => {
      const form = new FormData();
      form.append('purpose', 'post');
      form.append('originalName', name);
      form.append('file', new Blob([new Uint8Array(aPicture(640, 480, red))]), name);
      const authorization = `Bearer ${client.accessToken}`;
      const init = { method: 'POST', headers: { authorization }, body: form };
      const answer = await fetch(`${pulso.url}/api/media/images`, init);
      if (answer.status !== 201) throw new Error(`Upload: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as ApiImage;
    };
    const publish = async (client: ApiClient, body: object) => {
      const answer = await client.post<PicturedPost>('/api/posts', body);
      if (answer.status !== 201) throw new Error(`Publish: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const read = async (client: ApiClient, id = post.id) =>
      (await client.get<PicturedPost>(`/api/posts/${id}`)).body;

    const raw = (path: string, way?: Way) => rawRequest(pulso.url, path, way);
    const leaks = (ways: Ways) => leaksOf(pulso.url, ways);
    const queryOf = (address: string) => address.slice(address.indexOf('?'));
    const signer = (now?: number) => signerOf(pulso, now);

    beforeAll(async () => {
      pulso = shared();
      coach = await pulso.user('coach-closed', { isCoach: true });
      [follower, former, subscriber] = [
        await pulso.user('follows-closed'),
        await pulso.user('left-closed'),
        await pulso.user('pays-closed'),
      ];
      await pulso.drainEvents();
      for (const one of [follower, former]) await one.put(`/api/users/${coach.userId}/follow`);
      for (const one of [former, subscriber]) {
        expect((await one.put(`/api/subscriptions/${coach.userId}`)).status).toBe(201);
      }
      const [closed, everyones] = [await upload(coach, NAME, 10), await upload(coach, 'open.png', 200)];
      post = await publish(coach, {
        content: 'For those who pay, @follows-closed and @pays-closed',
        visibility: 'subscribers',
        images: [{ id: closed.id, alt: ALT, caption: CAPTION }],
      });
      open = (await publish(coach, { images: [{ id: everyones.id }] })).images[0]!;
      const seen = await waitFor(
        () => read(subscriber),
        ({ locked }) => !locked,
        { what: 'the post as its subscriber sees it' },
      );
      image = seen.images[0]!;
      expect((await raw(image.url)).type).toBe('image/jpeg');
      expect((await raw(image.thumbnail)).type).toBe('image/jpeg');
    });

    // Rule: MEDIA-19
    it('are opened by nothing but their whole signed address', async () => {
      const { id, url, thumbnail } = image;
      const [query, path] = [queryOf(url), `/media/${id}/full`];
      const given = new URLSearchParams(query);
      const changed = (changes: Record<string, string | undefined>) => withParameters(url, changes);
      const later = `${Number(given.get('x')) + 60_000}`;
      const mac = given.get('s')!;
      const own = { authorization: `Bearer ${coach.accessToken}` };
      const past = (epoch: number) => signer(Date.now() - 600_000).sign(path, { epoch, lifeMs: 300_000 });
      const etag = `"${id}-full"`;
      expect(
        await leaks({
          'no signature': [path],
          'no signature, the thumbnail': [`/media/${id}/thumbnail`],
          'no signature, as an avatar': [`/media/${id}/avatar`],
          'no signature, with the token of its owner': [path, { headers: own }],
          'the signature as an avatar': [`/media/${id}/avatar${query}`],
          "the thumbnail's signature": [path + queryOf(thumbnail)],
          "the picture's signature for the thumbnail": [`/media/${id}/thumbnail${query}`],
          "another picture's signature": [path + queryOf(open.url)],
          'another id': [`/media/${newId()}/full${query}`],
          'unknown variants': [`/media/${id}/original${query}`],
          'a later expiry': [changed({ x: later })],
          'no expiry': [changed({ x: undefined })],
          'an empty expiry': [changed({ x: '' })],
          'an expiry that is no number': [changed({ x: 'NaN' })],
          'an expiry without end': [changed({ x: '1e309' })],
          'an expiry twice, the later one first': [`${path}?x=${later}&${query.slice(1)}`],
          'an expiry twice, the later one last, forged': [`${changed({ s: 'x'.repeat(22) })}&s=${mac}`],
          'an expiry as a list': [`${changed({ x: undefined })}&x[]=${later}`],
          'an earlier epoch': [changed({ e: '0' })],
          'a later epoch': [changed({ e: '99' })],
          'an epoch in another form': [changed({ e: '01' })],
          'a negative epoch': [changed({ e: '-1' })],
          'parts moved over a line break': [
            changed({ e: `${given.get('e')}\n${given.get('x')}`, x: undefined }),
          ],
          'another key': [changed({ k: 'other' })],
          'a key of all objects': [changed({ k: '__proto__' })],
          'a shorter MAC': [changed({ s: mac.slice(0, -1) })],
          'a longer MAC': [changed({ s: `${mac}A` })],
          'a MAC in another case': [
            changed({ s: mac.toLowerCase() === mac ? mac.toUpperCase() : mac.toLowerCase() }),
          ],
          'no MAC': [changed({ s: undefined })],
          'an empty MAC': [changed({ s: '' })],
          'separators of another form': [`${path}?${query.slice(1).replaceAll('&', ';')}`],
          'an address that has expired': [past(1)],
          'an expired address of a later epoch': [past(9)],
          'an address of an earlier epoch': [signer().sign(path, { epoch: 0, lifeMs: 300_000 })],
          'an id in upper case': [`/media/${id.toUpperCase()}/full${query}`],
          'another case of the path': [`/MEDIA/${id}/full${query}`],
          'another case of the variant': [`/media/${id}/FULL${query}`],
          'a longer path': [`${path}/${query}`],
          'a longer name': [`${path}.jpg${query}`],
          'a NUL in the path': [`${path}%00${query}`],
          'an encoded query': [`${path}%3F${query.slice(1)}`],
          'two slashes': [`//media/${id}/full`],
          'an encoded slash': [`/media/${id}%2Ffull`],
          'an encoded path': [`/%6dedia/${id}/%66ull`],
          'an encoded id': [`/media/%${id.charCodeAt(0).toString(16)}${id.slice(1)}/full`],
          'over a picture that is open': [`/media/${open.id}/../${id}/full${queryOf(open.url)}`],
          'over an encoded step': [`/media/${open.id}/%2e%2e/${id}/full${queryOf(open.url)}`],
          'over a backslash': [`/media/${open.id}/..\\${id}\\full${queryOf(open.url)}`],
          HEAD: [path, { method: 'HEAD' }],
          'HEAD of an expired address': [past(1), { method: 'HEAD' }],
          POST: [path, { method: 'POST' }],
          PUT: [`${path}${query}`, { method: 'PUT' }],
          'another method by header': [
            path,
            { method: 'POST', headers: { 'x-http-method-override': 'GET' } },
          ],
          'a range': [path, { headers: { range: 'bytes=0-99' } }],
          'a range of an expired address': [past(1), { headers: { range: 'bytes=0-' } }],
          'a range that starts nowhere': [past(1), { headers: { range: 'bytes=999999999-' } }],
          'a known ETag': [path, { headers: { 'if-none-match': etag } }],
          'a known ETag at an expired address': [past(1), { headers: { 'if-none-match': etag } }],
          'any ETag': [path, { headers: { 'if-none-match': '*' } }],
          'the path in a header': [
            '/media/x/full',
            { headers: { 'x-original-url': url, 'x-rewrite-url': url } },
          ],
          'as an internal call': [
            path,
            { headers: { 'x-user-id': coach.userId, 'x-forwarded-for': '127.0.0.1' } },
          ],
          'a cookie': [path, { headers: { cookie: `s=${mac}` } }],
        }),
      ).toEqual([]);
      // The address as it is still opens it: the ways above failed for what was changed.
      expect((await raw(url)).status).toBe(200);
    });

    // Rule: MEDIA-3, MEDIA-19
    it('are in no store that can be asked directly', async () => {
      const { id } = image;
      const key = `images/${id.slice(-2)}/${id}-full.jpg`;
      expect(await leaks(waysToObject(key))).toEqual([]);
      expect(await leaks({ 'the upload call of media': ['/images', { method: 'POST' }] })).toEqual([]);
    });

    // Rule: POST-6, MEDIA-17
    it('are told of by no answer, and given to nobody who asks as if they were theirs', async () => {
      const told = [image.id, image.blurhash, ALT, CAPTION, NAME, `/media/${image.id}`];
      expect((await former.delete(`/api/subscriptions/${coach.userId}`)).status).toBe(200);
      await waitFor(
        () => read(former),
        ({ locked }) => locked,
        { what: 'the post that is closed again' },
      );
      await pulso.drainEvents();
      const paths = pathsThatTell({ postId: post.id, authorId: coach.userId, mediaId: image.id });
      for (const viewer of [pulso.visitor(), follower, former]) {
        expect(await toldTo(viewer, paths, told)).toEqual({});
        expect(await read(viewer)).toMatchObject({ locked: true, imageCount: 1, images: [] });
      }
      // Who may read it is told of it without a picture: the post is read, which renews the addresses.
      const news = await subscriber.get<object>('/api/notifications');
      expect(JSON.stringify(news.body)).not.toContain(image.id);

      const images = [{ id: image.id }];
      const refusals = [
        ...[await follower.post('/api/posts', { images }), await subscriber.post('/api/posts', { images })],
        ...[await follower.patch('/api/me', { profileImageId: image.id })],
        ...[await subscriber.patch('/api/me', { profileImageId: image.id })],
      ].map(({ status, body }) => [status, body['code']]);
      expect(refusals).toEqual(refusals.map(() => [422, 'media-not-attachable']));
      for (const one of [follower, subscriber]) {
        expect((await one.get(`/api/media/${image.id}`)).status).toBe(404);
        expect((await one.delete(`/api/media/${image.id}`)).status).toBe(404);
      }
      expect((await follower.put(`/api/posts/${post.id}/like`)).status).toBe(403);
    });

    // Rule: MEDIA-19
    it('stay open to whoever has an address for the rest of its 5 minutes, and are not kept by shared caches', async () => {
      const seen = await read(subscriber);
      const inFiveMinutes = signer(Date.now() + 300_000);
      for (const address of [seen.images[0]!.url, seen.images[0]!.thumbnail]) {
        const [path, query] = address.split('?') as [string, string];
        expect(inFiveMinutes.verify(path, new URLSearchParams(query))).toBe('expired');
        const answer = await fetch(pulso.url + address, { headers: { range: 'bytes=0-1' } });
        expect(answer.status).toBe(206);
        await answer.arrayBuffer();
        const kept = /^private, max-age=(\d+), immutable$/.exec(answer.headers.get('cache-control')!)!;
        expect(Number(kept[1])).toBeLessThanOrEqual(300);
      }
    });

    // Rule: MEDIA-19
    it('close all addresses of the time in which the post was public, and open none of them again', async () => {
      const { id } = await upload(coach, 'open.png', 200);
      const { id: postId, images } = await publish(coach, { images: [{ id }] });
      const [{ url, thumbnail }] = images as [ApiImage];
      const etag = (await fetch(pulso.url + url)).headers.get('etag')!;
      const closed = {
        'the picture': [url],
        'the thumbnail': [thumbnail],
        HEAD: [url, { method: 'HEAD' }],
        'a range': [url, { headers: { range: 'bytes=0-9' } }],
        'a range of a known version': [url, { headers: { range: 'bytes=0-9', 'if-range': etag } }],
        'a copy that is checked again': [url, { headers: { 'if-none-match': etag } }],
        'a later epoch, forged': [url.replace('e=1', 'e=2')],
      } as const;
      const becomes = (address: string, status: number) =>
        waitForEqual(async () => (await raw(address)).status, status, { what: `the status of ${address}` });

      const path = `/api/posts/${postId}`;
      const first = await coach.patch<PicturedPost>(path, { visibility: 'subscribers' });
      await becomes(url, 403);
      expect(await leaks(closed)).toEqual([]);
      const second = await coach.patch<PicturedPost>(path, { visibility: 'public' });
      await becomes(first.body.images[0]!.url, 403);
      expect(await leaks(closed)).toEqual([]);
      expect((await raw(second.body.images[0]!.url)).status).toBe(200);
      const third = await coach.patch<PicturedPost>(path, { visibility: 'subscribers', content: 'Closed' });
      await becomes(second.body.images[0]!.url, 403);
      expect((await raw(third.body.images[0]!.url)).status).toBe(200);
      expect((await coach.delete(path)).status).toBe(204);
      await becomes(third.body.images[0]!.url, 404);
      expect(await leaks({ ...closed, 'of a deleted post': [third.body.images[0]!.thumbnail] })).toEqual([]);
    });
  });
