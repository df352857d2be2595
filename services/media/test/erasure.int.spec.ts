import { jest } from '@jest/globals';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import { mediaErasureTopic, videoTopic } from '@pulso/contracts/topics/media';
import { EraseUsers } from '@pulso/platform/erasure/erase-users.job';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { EraseMedia } from '../src/erasure/erase-media.js';
import { TestMedia } from './start.js';
import { aReadyVideo, someBytes } from './support/a-video.js';
import { storedObjects } from './support/stored-objects.js';

let media: TestMedia;
let ana: string;
let ben: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(async () => {
  await media.empty();
  [ana, ben] = [media.newId(), media.newId()];
});
afterAll(() => media?.stop());

let asked = 0;
const ask = (userId: string) =>
  media.service.tell(erasureTopic, { userId, version: (asked += 1), requestedAt: 1 });
const deleted = (userId: string, version = 9) =>
  media.userIs(userId, version, { status: UserStatus.USER_STATUS_DELETED, name: '', username: '' });
const acknowledgement = async (userId: string) => {
  await media.service.drainEvents();
  return media.service.deliveredState(mediaErasureTopic, userId);
};
const untilErased = (userId: string) =>
  until(async () => (await acknowledgement(userId))?.erasedAt !== undefined, { what: 'the acknowledgement' });

// Rule: ACCT-32
describe('an erased user', () => {
  it('leaves no file and no row, whatever became of an upload, and all of others stays', async () => {
    const attached = await media.upload(ana);
    const post = media.newId();
    await media.claim(ana, [attached.facts!.id], post);
    await media.postIs(post, ana, 1, { mediaIds: [attached.facts!.id] });
    await media.upload(ana);
    await media.avatar(ana);
    const video = await aReadyVideo(media, ana, { file: someBytes(10_000) });
    const begun = await media.tusOf(ana).begin({ length: 5_000_000, name: 'Ana squats.mp4' });
    await media.tusOf(ana).patch(begun, 0, someBytes(1_000));
    const kept = await media.upload(ben);
    expect((await storedObjects(media)).size).toBeGreaterThan(6);

    await deleted(ana);
    await ask(ana);
    await untilErased(ana);
    expect(await media.rows(ana)).toEqual([]);
    const left = [...(await storedObjects(media)).keys()];
    expect(left.filter((key) => !key.includes(kept.facts!.id))).toEqual([]);
    expect(await media.rows(ben)).toHaveLength(1);
    for (const table of ['publications', 'uploads', 'upload_pieces'])
      expect(await media.service.rows(`SELECT FROM ${table}`)).toEqual([]);
    // What stays of the video as long as its events do names nothing.
    expect(await media.service.rows('SELECT name, deleted FROM videos WHERE owner_id = $1', [ana])).toEqual([
      { name: '', deleted: true },
    ]);
    expect(media.service.deliveredState(videoTopic, video)).toMatchObject({ deleted: true });
    expect(media.service.deliveredState(videoTopic, video)?.facts).toBeUndefined();
    expect(await media.used(ben)).toBeGreaterThan(0);
  });

  it('is not acknowledged while files cannot be removed', async () => {
    await media.upload(ana);
    const objects = media.service.get(ObjectStore);
    const away = jest.spyOn(objects, 'remove').mockRejectedValue(new Error('the object store is away'));
    onTestEnd(() => away.mockRestore());
    await deleted(ana);
    await ask(ana);
    await until(() => away.mock.calls.length > 0, { what: 'an attempt to remove the files' });
    expect((await acknowledgement(ana))?.erasedAt).toBeUndefined();
    away.mockRestore();
    media.service.clock.advance(120_000);
    await media.service.get(EraseUsers).execute();
    await untilErased(ana);
    expect((await storedObjects(media)).size).toBe(0);
  });

  it('is erased once this service’s copy says that the account is deleted', async () => {
    await media.userIs(ana, 1, {});
    await media.upload(ana);
    expect(await media.service.get(EraseMedia).erase(ana, new AbortController().signal)).toBe(false);
    expect(await media.rows(ana)).toHaveLength(1);
  });
});

// Rule: ACCT-34
it('a late event of a post does not give an erased user a picture again', async () => {
  const image = await media.upload(ana);
  await deleted(ana);
  await ask(ana);
  await untilErased(ana);
  const post = media.newId();
  await media.postIs(post, ana, 1, { mediaIds: [image.facts!.id] });
  await media.userIs(ana, 20, { name: 'Ana', profileImageId: image.facts!.id });
  expect(await media.service.rows('SELECT FROM known_posts WHERE author_id = $1', [ana])).toEqual([]);
  expect(await media.service.rows('SELECT status FROM known_users WHERE id = $1', [ana])).toEqual([
    { status: 'deleted' },
  ]);
});
