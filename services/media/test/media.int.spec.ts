import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { postMediaTicket, profileImageTicket } from '@pulso/contracts/media-tickets';
import { createTicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { outcome } from '@pulso/platform/testing/outcomes';
import { objectKeyOf } from '../src/store/asset.js';
import { RemoveAssets } from '../src/asset/remove-assets.job.js';
import { DAY_MS, TestMedia } from './start.js';

let media: TestMedia;
let ana: string;
let ben: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(() => ([ana, ben] = [media.newId(), media.newId()]));
afterAll(() => media?.stop());

const NOT_ATTACHABLE = 'unprocessable media-not-attachable';
const variants = async (id: string) => {
  const folder = join(media.objects, objectKeyOf(id, 'full'), '..');
  return (await readdir(folder)).filter((name) => name.startsWith(id)).map((name) => name.slice(37));
};

describe('a claim', () => {
  const verify = <T>(
    kind: Parameters<ReturnType<typeof createTicketVerifier>['verify']>[0],
    ticket: string,
  ) => {
    const jwks = JSON.parse(media.service.env['MEDIA_TICKET_JWKS']!) as never[];
    return createTicketVerifier({ jwks, clock: media.service.clock }).verify(kind, ana, ticket) as Promise<T>;
  };

  // Rule: MEDIA-17
  it('grants images for one post, in order, and the same post again for the same publication', async () => {
    const [first, second] = [(await media.upload(ana)).facts!, (await media.upload(ana)).facts!];
    const [post, other] = [media.newId(), media.newId()];
    const { ticket, postId } = await media.claim(ana, [second.id, first.id], post, 'key');
    expect(postId).toBe(post);
    expect(await verify(postMediaTicket, ticket)).toEqual({ postId: post, images: [second, first] });
    expect((await media.claim(ana, [second.id, first.id], other, 'key')).postId).toBe(post);
    await media.postIs(post, ana, 1, { mediaIds: [second.id, first.id] });
    expect((await media.claim(ana, [second.id, first.id], other, 'key')).postId).toBe(post);
    expect(await outcome(media.claim(ana, [first.id], other))).toBe(NOT_ATTACHABLE);
    expect((await media.claim(ana, [first.id], post)).postId).toBe(post);
    media.service.clock.advance(DAY_MS + 1);
    const third = (await media.upload(ana)).facts!;
    expect((await media.claim(ana, [third.id], other, 'key')).postId).toBe(other);
  });

  // Rule: MEDIA-17
  it('is exclusive while it lives, and refused for what is not the caller’s to attach', async () => {
    const { id } = (await media.upload(ana)).facts!;
    const avatar = (await media.avatar(ana)).facts!.id;
    const [post, other] = [media.newId(), media.newId()];
    await media.claim(ana, [id], post);
    expect(await outcome(media.claim(ana, [id], other))).toBe(NOT_ATTACHABLE);
    const refused = [[id, id], [], [avatar], [media.newId()], ['nonsense']];
    for (const ids of refused) expect(await outcome(media.claim(ana, ids, post))).toBe(NOT_ATTACHABLE);
    expect(await outcome(media.claim(ben, [id], other))).toBe(NOT_ATTACHABLE);
    expect(await outcome(media.service.as(ana, (client) => client.claimForProfile({ id })))).toBe(
      NOT_ATTACHABLE,
    );
    media.service.clock.advance(120_000);
    expect((await media.claim(ana, [id], other)).postId).toBe(other);
  });

  // Rule: MEDIA-17
  it('is given back when its post was refused, for another post or to be deleted', async () => {
    const { id } = (await media.upload(ana)).facts!;
    const [post, other] = [media.newId(), media.newId()];
    await media.claim(ana, [id], post, 'key');
    for (const [owner, target] of [
      [ben, post],
      [ana, other],
    ] as const)
      await media.release(owner, [id, 'nonsense'], target);
    expect(await outcome(media.claim(ana, [id], other))).toBe(NOT_ATTACHABLE);
    await media.release(ana, [id], post);
    expect((await media.claim(ana, [id], other)).postId).toBe(other);
    await media.release(ana, [id], other);
    media.service.clock.advance(DAY_MS - 1);
    await media.remove();
    await media.delete(ana, id);
  });

  // Rule: MEDIA-17
  it('is not given back where another request may still publish with it, or has', async () => {
    const { id } = (await media.upload(ana)).facts!;
    const [post, other] = [media.newId(), media.newId()];
    for (let count = 0; count < 2; count += 1) await media.claim(ana, [id], post, 'key');
    await media.release(ana, [id], post);
    expect(await outcome(media.claim(ana, [id], other))).toBe(NOT_ATTACHABLE);
    media.service.clock.advance(120_000);
    await media.claim(ana, [id], other);
    await media.postIs(other, ana, 1, { mediaIds: [id] });
    await media.release(ana, [id], other);
    expect(await outcome(media.delete(ana, id))).toBe('conflict media-attached');
    expect(await outcome(media.claim(ana, [id], post))).toBe(NOT_ATTACHABLE);
  });

  // Rule: MEDIA-17
  it('is given back once for each request that was refused', async () => {
    const { id } = (await media.upload(ana)).facts!;
    const [post, other] = [media.newId(), media.newId()];
    for (let count = 0; count < 2; count += 1) await media.claim(ana, [id], post);
    await media.release(ana, [id], post);
    expect(await outcome(media.claim(ana, [id], other))).toBe(NOT_ATTACHABLE);
    await media.release(ana, [id], post);
    expect((await media.claim(ana, [id], other)).postId).toBe(other);
  });

  // Rule: MEDIA-6, MEDIA-14
  it('of an avatar whose profile was refused is given back: it can be deleted, and expires after a day', async () => {
    const [kept, deleted] = [(await media.avatar(ana)).facts!.id, (await media.avatar(ana)).facts!.id];
    for (const id of [kept, deleted]) {
      await media.service.as(ana, (client) => client.claimForProfile({ id }));
      expect(await outcome(media.delete(ana, id))).toBe('conflict media-attached');
      await media.release(ana, [id], ana);
    }
    await media.delete(ana, deleted);
    media.service.clock.advance(DAY_MS);
    await media.remove();
    expect(await media.rows(ana)).toEqual([]);
  });

  // Rule: MEDIA-6, MEDIA-17
  it('of an avatar is kept by the profile that has it, and the replaced one is gone', async () => {
    const [first, second] = [(await media.avatar(ana)).facts!.id, (await media.avatar(ana)).facts!.id];
    const claimed = await media.service.as(ana, (client) => client.claimForProfile({ id: first }));
    expect(await verify(profileImageTicket, claimed.ticket)).toEqual({ imageId: first });
    await media.userIs(ana, 1, { profileImageId: first });
    await media.service.as(ana, (client) => client.claimForProfile({ id: second }));
    await media.userIs(ana, 2, { profileImageId: second });
    expect((await media.get(`/media/${first}/avatar`)).status).toBe(404);
    expect((await media.get(`/media/${second}/avatar`)).status).toBe(200);
    expect(await outcome(media.delete(ana, second))).toBe('conflict media-attached');
  });
});

describe('removal', () => {
  // Rule: MEDIA-17
  it('of an upload is the owner’s, unless it is attached or claimed', async () => {
    const { id } = (await media.upload(ana)).facts!;
    expect(await outcome(media.delete(ben, id))).toBe('not-found not-found');
    const post = media.newId();
    await media.claim(ana, [id], post);
    expect(await outcome(media.delete(ana, id))).toBe('conflict media-attached');
    await media.postIs(post, ana, 1, { mediaIds: [id] });
    media.service.clock.advance(DAY_MS);
    expect(await outcome(media.delete(ana, id))).toBe('conflict media-attached');
    const free = (await media.upload(ana)).facts!;
    const before = await media.used(ana);
    await media.delete(ana, free.id);
    expect(await media.used(ana)).toBe(before - free.bytes);
    expect(await outcome(media.delete(ana, free.id))).toBe('not-found not-found');
    await media.remove();
    expect(await variants(free.id)).toEqual([]);
    expect(await variants(id)).toHaveLength(2);
  });

  it('follows the newest event: what is not listed is gone at once, and a newer event brings it back', async () => {
    const [kept, dropped] = [(await media.upload(ana)).facts!, (await media.upload(ana)).facts!];
    const post = media.newId();
    await media.claim(ana, [kept.id, dropped.id], post);
    await media.postIs(post, ana, 2, { mediaIds: [kept.id, dropped.id] });
    await media.postIs(post, ana, 3, { mediaIds: [kept.id] });
    await media.postIs(post, ana, 1, { mediaIds: [kept.id, dropped.id] });
    expect([await media.statusOf(kept.id), await media.statusOf(dropped.id)]).toEqual([200, 404]);
    expect(await media.used(ana)).toBe(kept.bytes);
    expect(await outcome(media.claim(ana, [dropped.id], media.newId()))).toBe(NOT_ATTACHABLE);
    await media.postIs(post, ana, 4, { mediaIds: [kept.id, dropped.id] });
    expect(await media.statusOf(dropped.id)).toBe(200);
    await media.postIs(post, ana, 5, { deleted: true });
    expect(await media.used(ana)).toBe(0);
    await media.remove();
    expect(await variants(kept.id)).toHaveLength(2);
    media.service.clock.advance(DAY_MS);
    await media.remove();
    expect(await variants(kept.id)).toEqual([]);
  });

  it('frees what was claimed for a post that is deleted before it was heard of, and never another’s', async () => {
    const { id } = (await media.upload(ana)).facts!;
    const post = media.newId();
    await media.claim(ana, [id], post);
    await media.postIs(media.newId(), ben, 1, { mediaIds: [id] });
    expect(await media.rows(ana)).toMatchObject([{ state: 'ready' }]);
    await media.postIs(post, ana, 1, { deleted: true });
    expect(await media.used(ana)).toBe(0);
  });

  it('of a user frees everything, also against late events', async () => {
    const { id } = (await media.upload(ana)).facts!;
    const post = media.newId();
    await media.upload(ana);
    await media.postIs(post, ana, 1, { mediaIds: [id] });
    await media.userIs(ana, 1, { status: UserStatus.USER_STATUS_DELETED });
    await media.postIs(post, ana, 2, { mediaIds: [id] });
    expect(await media.used(ana)).toBe(0);
    expect(await media.statusOf(id)).toBe(404);
  });

  // Rule: MEDIA-14
  it('expires uploads after a day, claimed ones after eight, and what a kill has cut off after ten minutes', async () => {
    const [idle, claimed] = [(await media.upload(ana)).facts!.id, (await media.upload(ana)).facts!.id];
    await media.claim(ana, [claimed], media.newId());
    const cut = media.newId();
    await media.service.rows(
      `INSERT INTO assets (id, owner_id, state, bytes, created_at, expires_at) VALUES ($1, $2, 'receiving', 5, $3, $4)`,
      [cut, ana, new Date(media.service.clock.now()), new Date(media.service.clock.now() + 600_000)],
    );
    const left = async () => {
      await media.remove();
      return (await media.rows(ana)).map(({ id }) => id);
    };
    expect(await left()).toEqual([idle, claimed, cut].sort());
    media.service.clock.advance(600_000);
    expect(await left()).toEqual([idle, claimed].sort());
    media.service.clock.advance(DAY_MS);
    expect(await left()).toEqual([claimed]);
    media.service.clock.advance(8 * DAY_MS);
    expect(await left()).toEqual([]);
  });

  it('forgets any number of publications that are over, and no others', async () => {
    await media.service.rows(
      `INSERT INTO publications (owner_id, key, post_id, created_at)
       SELECT $1::uuid, n, $1::uuid, CASE WHEN n > 2100 THEN $2::timestamptz ELSE $3 END FROM generate_series(1, 2103) AS n`,
      [ana, new Date(media.service.clock.now()), new Date(media.service.clock.now() - 2 * DAY_MS)],
    );
    const left = async () =>
      (await media.service.rows('SELECT FROM publications WHERE owner_id = $1', [ana])).length;
    await media.service.get(RemoveAssets).execute(AbortSignal.abort());
    expect(await left()).toBe(2_103);
    await media.remove();
    expect(await left()).toBe(3);
  });

  it('goes on when one file cannot be removed, and tries that again later', async () => {
    const [bad, good] = [(await media.upload(ana)).facts!.id, (await media.upload(ana)).facts!.id];
    const blocked = join(media.objects, objectKeyOf(bad, 'full'));
    await rm(blocked);
    await mkdir(blocked);
    for (const id of [bad, good]) await media.delete(ana, id);
    await media.remove();
    expect((await media.rows(ana)).map(({ id }) => id)).toEqual([bad]);
    expect(await variants(good)).toEqual([]);
    await rm(blocked, { recursive: true });
    media.service.clock.advance(60 * 60_000);
    await media.remove();
    expect(await media.rows(ana)).toEqual([]);
  });
});
