import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { TestMedia } from './start.js';
import { statusAndJson } from './support/upload-form.js';

let media: TestMedia;
let ana: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(() => (ana = media.newId()));
afterAll(() => media?.stop());

describe('delivery', () => {
  // Rule: MEDIA-19
  it('opens one variant of one epoch until it expires', async () => {
    const { id } = (await media.upload(ana)).facts!;
    const post = media.newId();
    const early = media.address(id, 1);
    expect((await media.get(early)).status).toBe(200);
    await media.postIs(post, ana, 1, { mediaIds: [id], mediaEpoch: 1 });
    const closing = media.address(id, 1, 300_000);
    expect((await media.get(closing)).headers.get('cache-control')).toMatch(
      /^private, max-age=\d+, immutable$/,
    );
    expect((await media.get(early)).headers.get('cache-control')).toBe('public, max-age=3600, immutable');
    expect((await media.get(closing.replace('full', 'thumbnail'))).status).toBe(403);
    expect((await media.get(`/media/${id}/full`)).status).toBe(403);
    media.service.clock.advance(300_000);
    expect(await statusAndJson(await media.get(closing))).toMatchObject([403, { code: 'permission-denied' }]);
    await media.postIs(post, ana, 2, { mediaIds: [id], mediaEpoch: 2 });
    expect((await media.get(early)).status).toBe(403);
    expect((await media.get(media.address(id, 2))).status).toBe(200);
    for (const path of [media.address(media.newId(), 1), `/media/x/full`, `/media/${id}/huge`])
      expect((await media.get(path)).status).toBe(404);
  });

  // Rule: MEDIA-6
  it('opens an avatar to all while a profile has it, and before to its owner alone', async () => {
    const { facts, url } = await media.avatar(ana);
    const { id } = facts!;
    const open = `/media/${id}/avatar`;
    expect((await media.get(open)).status).toBe(404);
    expect((await media.get(`${url}x`)).status).toBe(403);
    expect((await media.get(url)).headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/);
    media.service.clock.advance(300_000);
    expect((await media.get(url)).status).toBe(403);
    const own = async () => (await media.service.as(ana, (client) => client.getAsset({ id }))).image!;
    expect((await media.get((await own()).url)).status).toBe(200);

    await media.userIs(ana, 1, { profileImageId: id });
    expect((await media.get(open)).headers.get('cache-control')).toBe('public, max-age=3600, immutable');
    expect((await own()).url).toBe(open);
    await media.userIs(ana, 2, { profileImageId: '' });
    expect((await media.get(open)).status).toBe(404);
  });

  // Rule: MEDIA-6
  it('waits for the event of a profile that has just got its avatar, as long as it is claimed', async () => {
    const claimed = async () => {
      const { id } = (await media.avatar(ana)).facts!;
      await media.service.as(ana, (client) => client.claimForProfile({ id }));
      return id;
    };
    const [first, second] = [await claimed(), await claimed()];
    const reading = media.get(`/media/${first}/avatar`);
    await media.userIs(ana, 1, { profileImageId: first });
    expect((await reading).status).toBe(200);
    const refused = media.get(`/media/${second}/avatar`);
    await media.release(ana, [second], ana);
    expect((await refused).status).toBe(404);
  });

  // Rule: MEDIA-22
  it('gives pictures of a hidden post by addresses that expire alone, until the decision is taken back', async () => {
    const { id } = (await media.upload(ana)).facts!;
    const post = media.newId();
    await media.postIs(post, ana, 1, { mediaIds: [id] });
    const known = await media.get(media.address(id, 1));
    const etag = known.headers.get('etag')!;
    const statuses = async () => [
      (await media.get(media.address(id, 1))).status,
      (await media.get(media.address(id, 1, undefined, 'thumbnail'))).status,
      (await media.get(media.address(id, 1), { 'if-none-match': etag })).status,
      (await media.get(media.address(id, 1, 300_000))).status,
    ];
    expect(await statuses()).toEqual([200, 200, 304, 200]);
    await media.hides(post, 2);
    expect(await statuses()).toEqual([404, 404, 404, 200]);
    const [hidden, missing] = [media.address(id, 1), media.address(media.newId(), 1)];
    expect(await statusAndJson(await media.get(hidden))).toEqual(
      await statusAndJson(await media.get(missing)),
    );
    await media.hides(post, 3, false);
    expect(await statuses()).toEqual([200, 200, 304, 200]);
  });

  // Rule: MEDIA-22
  it('gives no picture of a suspended user, until they are reinstated', async () => {
    const [picture, avatar] = [(await media.upload(ana)).facts!.id, (await media.avatar(ana)).facts!.id];
    await media.postIs(media.newId(), ana, 1, { mediaIds: [picture] });
    const { USER_STATUS_ACTIVE, USER_STATUS_SUSPENDED } = UserStatus;
    const addresses = [
      media.address(picture, 1),
      media.address(picture, 1, 300_000),
      `/media/${avatar}/avatar`,
    ];
    for (const [version, status, answer] of [
      [1, USER_STATUS_ACTIVE, 200],
      [2, USER_STATUS_SUSPENDED, 404],
      [3, USER_STATUS_ACTIVE, 200],
    ] as const) {
      await media.userIs(ana, version, { status, profileImageId: avatar });
      for (const path of addresses) expect((await media.get(path)).status).toBe(answer);
    }
  });

  // Rule: MEDIA-20
  it('answers ranges, conditions and HEAD, and never as a page', async () => {
    const { id, bytes } = (await media.upload(ana)).facts!;
    const path = media.address(id, 1);
    const whole = await media.get(path);
    const content = Buffer.from(await whole.arrayBuffer());
    const etag = whole.headers.get('etag')!;
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': `${bytes}`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    const part = await media.get(path, { range: 'bytes=2-5', 'if-range': etag });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-5/${bytes}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(2, 6));
    const status = async (headers: Record<string, string>) => (await media.get(path, headers)).status;
    expect(await status({ range: 'bytes=2-5', 'if-range': '"another"' })).toBe(200);
    expect(await status({ range: 'bytes=0-1,3-4' })).toBe(200);
    expect(await status({ range: 'lines=1-2' })).toBe(200);
    const longer = await media.get(path, { range: `bytes=-${bytes + 1}` });
    expect([longer.status, longer.headers.get('content-range')]).toEqual([
      206,
      `bytes 0-${bytes - 1}/${bytes}`,
    ]);
    expect(Buffer.from(await longer.arrayBuffer())).toEqual(content);
    expect(await status({ range: 'bytes=9-3' })).toBe(200);
    const beyond = await media.get(path, { range: `bytes=${bytes}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes}`]);
    expect(await status({ 'if-none-match': `"x", W/${etag}` })).toBe(304);
    expect(await status({ 'if-none-match': '"x"' })).toBe(200);
    for (const headers of [{}, { range: 'bytes=2-5' }, { range: `bytes=${bytes}-` }]) {
      const head = await media.get(path, headers as Record<string, string>, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, `${bytes}`]);
    }
  });
});
