import { jest } from '@jest/globals';
import { ArchiveStatus } from '@pulso/contracts/media/v1/media';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ArchiveRepository } from '../src/store/archive.repository.js';
import { objectKeyOf } from '../src/store/asset.js';
import { DiskRoom } from '../src/upload/disk-room.js';
import { DAY_MS, TestMedia } from './start.js';
import { aReadyVideo, someBytes } from './support/a-video.js';
import {
  aDocument,
  aReadyArchive,
  archiveObjects,
  archiveOf,
  archiveRows,
  askForArchive,
  deleteArchive,
  membersOf,
  untilArchive,
} from './support/archives.js';

let media: TestMedia;
let ana: string;
let ben: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(async () => {
  await media.empty();
  [ana, ben] = [media.newId(), media.newId()];
});
afterAll(() => media?.stop());

const HOUR_MS = 60 * 60_000;
const NONE = { status: ArchiveStatus.ARCHIVE_STATUS_UNSPECIFIED, url: '' };
const stored = (key: string) => buffer(media.service.get(ObjectStore).read(key));
const bytesAt = async (url: string) => Buffer.from(await (await media.get(url)).arrayBuffer());

// Rule: ACCT-45
describe('an archive', () => {
  it('has the document, and the main file of each picture and video of its owner', async () => {
    const [image, other] = [await media.upload(ana), await media.upload(ben)];
    const avatar = await media.avatar(ana);
    const video = await aReadyVideo(media, ana, { file: someBytes(300_000) });
    // What the user has deleted, and what is still received, is not in it.
    const gone = await media.upload(ana);
    await media.delete(ana, gone.facts!.id);
    await media.tusOf(ana).begin({ length: 5_000_000 });
    const used = await media.used(ana);

    const document = aDocument('ä row'.repeat(50_000));
    const asked = await askForArchive(media, ana, document);
    expect([asked.status, asked.headers.get('content-type')]).toEqual([202, 'application/x-protobuf']);
    const archive = await until(
      async () => {
        const now = await archiveOf(media, ana);
        return now.status === ArchiveStatus.ARCHIVE_STATUS_READY && now;
      },
      { what: 'the archive' },
    );
    const now = media.service.clock.now();
    const zip = await bytesAt(archive.url);
    expect(archive).toMatchObject({
      ...{ requestedAt: now, readyAt: now, expiresAt: now + 7 * DAY_MS },
      ...{ doneBytes: zip.length, totalBytes: zip.length, documentBytes: Buffer.byteLength(document) },
    });
    const members = await membersOf(zip);
    const [imageId, avatarId] = [image.facts!.id, avatar.facts!.id];
    expect([...members.keys()]).toEqual([
      ...['README.txt', 'pulso-export.json'],
      ...[`media/${imageId}.jpg`, `media/${avatarId}.jpg`, `media/${video}.webm`].sort(),
    ]);
    expect(members.get('README.txt')!.toString()).toMatch(
      /^This is a copy of everything that Pulso held[^\n]+\n([^\n]+\n){4}$/,
    );
    expect(members.get('pulso-export.json')!.toString()).toBe(document);
    expect(members.get(`media/${imageId}.jpg`)).toEqual(await stored(objectKeyOf(imageId, 'full')));
    expect(members.get(`media/${avatarId}.jpg`)).toEqual(await stored(objectKeyOf(avatarId, 'avatar')));
    expect(members.get(`media/${video}.webm`)).toEqual(someBytes(300_000));
    expect(zip.includes(other.facts!.id)).toBe(false);
    // It takes none of the owner's storage, and the document is in it alone.
    expect(await media.used(ana)).toBe(used);
    const [row] = await archiveRows(media, ana);
    expect(await archiveObjects(media)).toEqual([
      `archives/${ana.slice(-2)}/${ana}/${row!.id}-${row!.claim}`,
    ]);
    expect(await archiveOf(media, ben)).toMatchObject(NONE);
  });

  it('takes the place of the one before, whose address ends', async () => {
    const first = await aReadyArchive(media, ana, aDocument('first'));
    media.service.clock.advance(1_000);
    const second = await aReadyArchive(media, ana, aDocument('second'));
    expect((await media.get(first.url)).status).toBe(404);
    const members = await membersOf(await bytesAt(second.url));
    expect(members.get('pulso-export.json')!.toString()).toBe(aDocument('second'));
    expect((await archiveRows(media, ana)).map(({ state }) => state)).toEqual(['removing', 'ready']);
  });

  it('is not built of a document that was cut off, and what there was stays', async () => {
    const before = await aReadyArchive(media, ana);
    const whole = aDocument('x'.repeat(200_000));
    for (const cut of [whole.slice(0, -1), whole.slice(0, 100), '', `${whole} `]) {
      const response = await askForArchive(media, ana, cut);
      expect([response.status, await response.json()]).toEqual([
        422,
        expect.objectContaining({ code: 'unprocessable' }),
      ]);
    }
    // One whose sender leaves.
    const authorization = await media.service.authorizationOf(ana);
    const leaving = request(`${media.base}/archives`, { method: 'POST', headers: { authorization } });
    const left = once(leaving, 'error');
    leaving.write(Buffer.alloc(70_000, ' '));
    const states = async () => (await archiveRows(media, ana)).map(({ state }) => state);
    await until(async () => (await states()).includes('receiving'), { what: 'a document that comes' });
    leaving.destroy(new Error('it leaves'));
    await left;
    await until(async () => (await states()).length === 1, { what: 'the end of what was given up' });
    expect(await archiveOf(media, ana)).toMatchObject({
      requestedAt: before.requestedAt,
      readyAt: before.readyAt,
    });
    expect((await media.get(before.url)).status).toBe(200);
    await until(async () => (await archiveObjects(media)).length === 1, { what: 'the archive alone' });
  });

  it('is refused to a suspended user, and where the disk has no room for it', async () => {
    await media.userIs(ben, 1, { status: UserStatus.USER_STATUS_SUSPENDED });
    const refused = await askForArchive(media, ben);
    expect(await refused.json()).toMatchObject({ code: 'user-disabled' });
    const { diskReserveBytes } = media.limits;
    onTestEnd(() => void (media.limits.diskReserveBytes = diskReserveBytes));
    media.limits.diskReserveBytes = Number.MAX_SAFE_INTEGER;
    const full = await askForArchive(media, ana);
    expect([full.status, await full.json()]).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);
    expect([...(await archiveRows(media, ana)), ...(await archiveRows(media, ben))]).toEqual([]);
  });

  it('shows as one that is built while its document comes, in the place of the one before, and ends with DELETE', async () => {
    await aReadyArchive(media, ana);
    const authorization = await media.service.authorizationOf(ana);
    const coming = request(`${media.base}/archives`, { method: 'POST', headers: { authorization } });
    const answered = once(coming, 'response') as Promise<[IncomingMessage]>;
    coming.write(aDocument('late').slice(0, 10));
    const shown = await until(
      async () => {
        const now = await archiveOf(media, ana);
        return now.status === ArchiveStatus.ARCHIVE_STATUS_BUILDING && now;
      },
      { what: 'the archive whose document comes' },
    );
    expect(shown).toMatchObject({ requestedAt: media.service.clock.now(), url: '' });
    expect([shown.doneBytes, shown.totalBytes]).toEqual([undefined, undefined]);
    await deleteArchive(media, ana);
    expect(await archiveOf(media, ana)).toMatchObject(NONE);
    coming.end(aDocument('late').slice(10));
    const [response] = await answered;
    expect(response.resume().statusCode).toBe(503);
    expect((await archiveRows(media, ana)).map(({ state }) => state)).toEqual(['removing']);
    expect((await archiveObjects(media)).filter((key) => key.endsWith('-document'))).toEqual([]);
  });

  it('is built where the answer to its last write was lost', async () => {
    const archives = media.service.get(ArchiveRepository);
    const received = archives.received.bind(archives);
    const lost = jest.spyOn(archives, 'received').mockImplementation(async (...given) => {
      await received(...given);
      throw new Error('the connection was lost');
    });
    onTestEnd(() => lost.mockRestore());
    const asked = await askForArchive(media, ana);
    expect(asked.status).toBe(202);
    const { url } = await untilArchive(media, ana);
    expect((await membersOf(await bytesAt(url))).get('pulso-export.json')!.toString()).toBe(aDocument());
  });

  it('is refused where the disk fills up while its document comes', async () => {
    const disk = media.service.get(DiskRoom);
    const full = new DomainError('unavailable', 'There is no room for files right now.');
    const room = jest.spyOn(disk, 'require').mockResolvedValueOnce().mockRejectedValueOnce(full);
    onTestEnd(() => room.mockRestore());
    const refused = await askForArchive(media, ana);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ message: 'There is no room for files right now.' }),
    ]);
    expect([await archiveRows(media, ana), await archiveObjects(media)]).toEqual([[], []]);
  });
});

// Rule: MEDIA-25
describe('the address of an archive', () => {
  it('gives it whole, in parts, and as unchanged', async () => {
    const { url } = await aReadyArchive(media, ana);
    const whole = await media.get(url);
    const zip = Buffer.from(await whole.arrayBuffer());
    const etag = whole.headers.get('etag')!;
    const [, , id] = url.split('/');
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      ...{ 'content-type': 'application/zip', 'content-length': `${zip.length}`, 'accept-ranges': 'bytes' },
      ...{ 'cache-control': 'private, no-store', etag: `"${id}-archive"` },
      'content-disposition': `attachment; filename="pulso-${ana}-${new Date(media.service.clock.now()).toISOString().slice(0, 10)}.zip"`,
      'content-security-policy': "default-src 'none'; sandbox",
    });
    // What was cut off goes on.
    const rest = await media.get(url, { range: 'bytes=100-', 'if-range': etag });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-${zip.length - 1}/${zip.length}`,
    ]);
    expect(Buffer.from(await rest.arrayBuffer())).toEqual(zip.subarray(100));
    const other = await media.get(url, { range: 'bytes=100-', 'if-range': '"another"' });
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, zip.length]);
    expect((await media.get(url, { 'if-none-match': etag })).status).toBe(304);
    expect((await media.get(url, { range: `bytes=${zip.length}-` })).status).toBe(416);
    const head = await media.get(url, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${zip.length}`]);
  });

  it('opens nothing without its signature, for another archive or session, or after an hour', async () => {
    const [own, other] = [await aReadyArchive(media, ana), await aReadyArchive(media, ben)];
    const [path, query] = own.url.split('?') as [string, string];
    const statusOf = async (address: string) => (await media.get(address)).status;
    expect(await statusOf(own.url)).toBe(200);
    const [, , id, variant] = path.split('/');
    const forged = [
      ...[path, `${other.url.split('?')[0]}?${query}`, own.url.replace(/x=\d+/, 'x=9999999999999')],
      ...[`/media/${id}/archive-${media.newId()}?${query}`, `/media/${id}/full?${query}`],
    ];
    for (const address of forged) expect([address, await statusOf(address)]).toEqual([address, 403]);
    expect(await statusOf(own.url.replace(variant!, 'archive'))).toBe(404);
    media.service.clock.advance(HOUR_MS);
    expect(await statusOf(own.url)).toBe(403);
    // A new one is given as long as the archive is there, and is not good for longer. What was cut off goes on at it.
    media.service.clock.advance(7 * DAY_MS - HOUR_MS - HOUR_MS / 2);
    const { url } = await archiveOf(media, ana);
    const rest = await media.get(url, { range: 'bytes=9-', 'if-range': `"${id}-archive"` });
    expect(rest.status).toBe(206);
    await rest.arrayBuffer();
    media.service.clock.advance(HOUR_MS / 2);
    expect(await statusOf(url)).toBe(403);
    expect(await archiveOf(media, ana)).toMatchObject(NONE);
  });

  it('leads nowhere once the archive is deleted, and while its owner is suspended', async () => {
    const { url } = await aReadyArchive(media, ana);
    await media.userIs(ana, 1, { status: UserStatus.USER_STATUS_SUSPENDED });
    expect((await media.get(url)).status).toBe(404);
    await media.userIs(ana, 2, {});
    expect((await media.get(url)).status).toBe(200);
    await deleteArchive(media, ana);
    await deleteArchive(media, ana);
    expect((await media.get(url)).status).toBe(404);
    expect(await archiveOf(media, ana)).toMatchObject(NONE);
  });
});
