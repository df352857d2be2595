import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { ArchiveStatus } from '@pulso/contracts/media/v1/media';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import { mediaErasureTopic } from '@pulso/contracts/topics/media';
import { readInput } from '@pulso/platform/command-line/run-commands';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { everythingHeld } from '@pulso/platform/testing/exported';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { BuildArchives } from '../src/archive/build-archives.job.js';
import { RemoveArchives } from '../src/archive/remove-archives.job.js';
import { EraseMedia } from '../src/erasure/erase-media.js';
import { reconcileCommand } from '../src/reconciliation/reconcile-command.js';
import { Reconcile } from '../src/reconciliation/reconcile.js';
import { archiveKeyOf, archivesOf, documentKeyOf } from '../src/store/archive.js';
import { ArchiveRepository } from '../src/store/archive.repository.js';
import { DAY_MS, TestMedia } from './start.js';
import { aReadyArchive, archiveObjects, archiveOf, archiveRows, deleteArchive } from './support/archives.js';

let media: TestMedia;
let ana: string;
let ben: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(async () => {
  await media.empty();
  [ana, ben] = [media.newId(), media.newId()];
});
afterAll(() => media?.stop());

const remove = () => media.service.get(RemoveArchives).execute(new AbortController().signal);
const objectsOf = async (userId: string) =>
  (await archiveObjects(media)).filter((key) => key.startsWith(archivesOf(userId)));
const put = (key: string) => media.service.get(ObjectStore).put(key, Buffer.from('left behind'));

// Rule: ACCT-45, LIMIT-20
describe('an archive is removed', () => {
  it('when its owner deletes it, and no other is', async () => {
    for (const one of [ana, ben]) await aReadyArchive(media, one);
    await deleteArchive(media, ana);
    await remove();
    expect([await archiveRows(media, ana), await objectsOf(ana)]).toEqual([[], []]);
    expect([(await archiveRows(media, ben)).length, (await objectsOf(ben)).length]).toEqual([1, 1]);
  });

  it('when its owner deletes it while its document comes', async () => {
    const archives = media.service.get(ArchiveRepository);
    const begun = await archives.begin(ana);
    expect((await archiveOf(media, ana)).status).toBe(ArchiveStatus.ARCHIVE_STATUS_BUILDING);
    await deleteArchive(media, ana);
    expect((await archiveOf(media, ana)).status).toBe(ArchiveStatus.ARCHIVE_STATUS_UNSPECIFIED);
    // Its row stays for as long as the document may come: a kill leaves what has come.
    await remove();
    await put(documentKeyOf(begun));
    expect(await archives.received(begun, { document: 1, total: 1 })).toBeUndefined();
    media.service.clock.advance(10 * 60_000);
    await remove();
    expect([await archiveRows(media, ana), await objectsOf(ana)]).toEqual([[], []]);
  });

  it('seven days after it was ready', async () => {
    await aReadyArchive(media, ana);
    media.service.clock.advance(7 * DAY_MS - 1);
    await remove();
    expect(await objectsOf(ana)).toHaveLength(1);
    media.service.clock.advance(1);
    await remove();
    expect([await archiveRows(media, ana), await objectsOf(ana)]).toEqual([[], []]);
  });

  it('ten minutes after it was asked for, where its document never came whole', async () => {
    const begun = await media.service.get(ArchiveRepository).begin(ana);
    await put(documentKeyOf(begun));
    media.service.clock.advance(10 * 60_000 - 1);
    await remove();
    expect(await objectsOf(ana)).toHaveLength(1);
    media.service.clock.advance(1);
    await remove();
    expect([await archiveRows(media, ana), await objectsOf(ana)]).toEqual([[], []]);
    // What comes now is not taken for the archive any more.
    const late = await media.service.get(ArchiveRepository).received(begun, { document: 1, total: 1 });
    expect(late).toBeUndefined();
  });

  it('only after the claim of who builds it, who may store its object until then', async () => {
    const archives = media.service.get(ArchiveRepository);
    const builder = media.service.get(BuildArchives);
    await builder.onModuleDestroy();
    onTestEnd(() => builder.onApplicationBootstrap());
    const begun = await archives.begin(ana);
    await archives.received(begun, { document: 1, total: 1 });
    const claimed = (await archives.claim(60_000))!;
    await archives.end(ana);
    await remove();
    expect(await archiveRows(media, ana)).toHaveLength(1);
    await put(archiveKeyOf(claimed));
    expect(await archives.ready(claimed, 11)).toBe(false);
    media.service.clock.advance(60_000);
    await remove();
    expect([await archiveRows(media, ana), await objectsOf(ana)]).toEqual([[], []]);
  });
});

// Rule: ACCT-32, ACCT-34
describe('the erasure of a user', () => {
  it('removes every object of their archives, also those that no row names, at each look', async () => {
    for (const one of [ana, ben]) await aReadyArchive(media, one);
    await put(`${archivesOf(ana)}${media.newId()}-document`);
    await media.userIs(ana, 9, { status: UserStatus.USER_STATUS_DELETED, name: '', username: '' });
    await media.service.tell(erasureTopic, { userId: ana, version: 1, requestedAt: 1 });
    const isErased = async () => {
      await media.service.drainEvents();
      return media.service.deliveredState(mediaErasureTopic, ana)?.erasedAt !== undefined;
    };
    await until(isErased, { what: 'the acknowledgement' });
    expect([await archiveRows(media, ana), await objectsOf(ana)]).toEqual([[], []]);
    expect(await objectsOf(ben)).toHaveLength(1);
    // What a process has stored that was about to be killed.
    await put(`${archivesOf(ana)}${media.newId()}-${media.newId()}`);
    expect(await media.service.get(EraseMedia).erase(ana, new AbortController().signal)).toBe(true);
    expect(await objectsOf(ana)).toEqual([]);
  });

  it('keeps a document that comes late from becoming an archive', async () => {
    const archives = media.service.get(ArchiveRepository);
    const begun = await archives.begin(ana);
    await media.userIs(ana, 9, { status: UserStatus.USER_STATUS_DELETED, name: '', username: '' });
    expect(await archives.received(begun, { document: 1, total: 1 })).toBeUndefined();
  });
});

// Rule: MEDIA-13
describe('the comparison of rows and files', () => {
  const reconcile = (apply = false, more?: number) =>
    media.service.get(Reconcile).execute({ apply, limit: 100, remove: more });
  const twoHoursOld = (key: string) =>
    utimes(join(media.objects, key), new Date(), new Date(Date.now() - 2 * 60 * 60_000));

  it('knows the objects of archives, and removes those that none has', async () => {
    await aReadyArchive(media, ana);
    const [own] = await objectsOf(ana);
    const [row] = await archiveRows(media, ana);
    const strange = `${archivesOf(ana)}else`;
    const ownerless = [
      `${archivesOf(ben)}${media.newId()}-document`,
      // Of an attempt that another one has overtaken.
      archiveKeyOf({ id: row!.id, ownerId: ana, claim: media.newId() }),
      documentKeyOf({ id: row!.id, ownerId: ana }),
    ];
    for (const key of [...ownerless, strange]) await put(key);
    expect((await reconcile()).findings.map(({ kind, key }) => [kind, key])).toEqual([['unknown', strange]]);
    for (const key of [own!, ...ownerless, strange]) await twoHoursOld(key);
    const dry = await reconcile();
    expect(dry).toMatchObject({ files: 4, repaired: 0, found: { ownerless: 3, unknown: 1, missing: 0 } });
    expect((await reconcile(true, 3)).repaired).toBe(3);
    expect(new Set(await archiveObjects(media))).toEqual(new Set([own, strange]));
  });

  it('finds an archive that is ready without its object, and sends nobody to a backup for it', async () => {
    await aReadyArchive(media, ana);
    const [key] = await objectsOf(ana);
    await media.service.get(ObjectStore).remove(key!);
    const { findings, found } = await reconcile();
    expect(findings).toEqual([
      expect.objectContaining({ kind: 'archive', key, ownerId: ana, stored: null, repaired: false }),
    ]);
    expect(found).toMatchObject({ archive: 1, missing: 0 });
    const text = await reconcileCommand.prepare(readInput(reconcileCommand, []))(media.service.running);
    expect(text.slice(-2)[0]).toMatch('0 missing, 0 of another size, 0 unknown objects, 1 archives without');
    expect(text.at(-1)).toMatch(/^Archives are in no backup: .* asks for another one/);
  });
});

// Rule: ACCT-35
it('an archive is in the export of its owner', async () => {
  await aReadyArchive(media, ana);
  const { id } = (await archiveRows(media, ana))[0]!;
  const held = (userId: string) =>
    everythingHeld((request) => media.service.as(userId, (client) => client.exportUser(request)));
  expect(await held(ana)).toEqual({ archives: [expect.objectContaining({ id, state: 'ready' })] });
  expect(await held(ben)).toEqual({});
});
