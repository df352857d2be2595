import { jest } from '@jest/globals';
import { ArchiveStatus } from '@pulso/contracts/media/v1/media';
import { ObjectStore, ObjectStoreError } from '@pulso/platform/objects/object-store';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { Registry } from 'prom-client';
import { fileURLToPath } from 'node:url';
import { BuildArchives } from '../src/archive/build-archives.job.js';
import { objectKeyOf } from '../src/store/asset.js';
import { archiveKeyOf } from '../src/store/archive.js';
import { ArchiveRepository } from '../src/store/archive.repository.js';
import { TestMedia } from './start.js';
import {
  aReadyArchive,
  archiveObjects,
  archiveOf,
  archiveRows,
  askForArchive,
  membersOf,
  untilArchive,
} from './support/archives.js';

const MINUTE_MS = 60_000;
const here = dirname(fileURLToPath(import.meta.url));

let media: TestMedia;
let ana: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(async () => {
  await media.empty();
  ana = media.newId();
});
afterAll(() => media?.stop());

const build = () => media.service.get(BuildArchives).execute();
const zipOf = async (url: string) => membersOf(new Uint8Array(await (await media.get(url)).arrayBuffer()));
/** Lets nobody but the test take archives. Returns how to end that. */
function hold(): () => void {
  const claim = jest.spyOn(ArchiveRepository.prototype, 'claim').mockResolvedValue(undefined);
  onTestEnd(() => claim.mockRestore());
  return () => claim.mockRestore();
}
/** The object store fails for archives until the test ends it. */
function breakStore(): () => void {
  const objects = media.service.get(ObjectStore);
  const put = objects.putStream.bind(objects);
  const broken = jest
    .spyOn(objects, 'putStream')
    .mockImplementation((key, bytes) =>
      key.endsWith('-document') ? put(key, bytes) : Promise.reject(new ObjectStoreError('the store is away')),
    );
  onTestEnd(() => broken.mockRestore());
  return () => broken.mockRestore();
}
const gauges = async () => {
  const { values } = await (media.service.get(Registry).getSingleMetric('pulso_archives')!.get() as Promise<{
    values: { labels: { state?: string }; value: number }[];
  }>);
  return Object.fromEntries(values.map(({ labels, value }) => [labels.state, value]));
};

// Rule: ACCT-45
describe('building an archive', () => {
  it('leaves out a file that was removed meanwhile', async () => {
    const [kept, removed] = [await media.upload(ana), await media.upload(ana)];
    const letBuild = hold();
    await askForArchive(media, ana);
    await media.service.get(ObjectStore).remove(objectKeyOf(removed.facts!.id, 'full'));
    letBuild();
    await build();
    const { url } = await untilArchive(media, ana);
    expect([...(await zipOf(url)).keys()]).toEqual([
      ...['README.txt', 'pulso-export.json', `media/${kept.facts!.id}.jpg`],
    ]);
  });

  it('is one process’s work, and shows how far it has come', async () => {
    const objects = media.service.get(ObjectStore);
    const put = objects.putStream.bind(objects);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const slow = jest.spyOn(objects, 'putStream').mockImplementation((key, bytes) => {
      if (key.endsWith('-document')) return put(key, bytes);
      const slowly = async function* () {
        for await (const chunk of bytes) {
          yield chunk;
          if (chunk.length > 100) await held;
        }
      };
      return put(key, slowly());
    });
    onTestEnd(() => {
      goOn();
      slow.mockRestore();
    });
    await media.upload(ana);
    await askForArchive(media, ana);
    const shown = await until(
      async () => {
        const now = await archiveOf(media, ana);
        return (now.doneBytes ?? 0) > 0 && now;
      },
      { what: 'progress' },
    );
    expect(shown).toMatchObject({ status: ArchiveStatus.ARCHIVE_STATUS_BUILDING, url: '' });
    expect(shown.doneBytes!).toBeLessThan(shown.totalBytes!);
    // Another process finds nothing to do, for as long as this one says that it goes on.
    media.service.clock.advance(MINUTE_MS / 2);
    await until(
      async () => {
        const [row] = await media.service.rows<{ isKept: boolean }>(
          `SELECT due_at > $2 AS "isKept" FROM archives WHERE owner_id = $1`,
          [ana, new Date(media.service.clock.now() + MINUTE_MS / 2)],
        );
        return row!.isKept;
      },
      { what: 'the claim to be renewed' },
    );
    media.service.clock.advance(MINUTE_MS / 2);
    await build();
    expect(await archiveRows(media, ana)).toMatchObject([{ state: 'building', attempts: 1 }]);
    goOn();
    await untilArchive(media, ana);
    expect(await archiveRows(media, ana)).toMatchObject([{ state: 'ready', attempts: 1 }]);
    expect(await archiveObjects(media)).toHaveLength(1);
  });

  it('ends when the archive is not wanted any more, and leaves nothing', async () => {
    const objects = media.service.get(ObjectStore);
    const put = objects.putStream.bind(objects);
    let [begin, goOn] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const slow = jest.spyOn(objects, 'putStream').mockImplementation(async (key, bytes) => {
      if (key.endsWith('-document')) return put(key, bytes);
      begin();
      await held;
      return put(key, bytes);
    });
    onTestEnd(() => slow.mockRestore());
    await askForArchive(media, ana);
    await begun;
    await media.service.as(ana, (client) => client.deleteArchive({}));
    goOn();
    const removed = jest.spyOn(objects, 'remove');
    onTestEnd(() => removed.mockRestore());
    goOn();
    await until(() => removed.mock.calls.length > 0, { what: 'the removal of what was built' });
    const left = async () => (await archiveObjects(media)).filter((key) => !key.endsWith('-document'));
    await until(async () => (await left()).length === 0, { what: 'an empty store' });
    await build();
    expect(await archiveRows(media, ana)).toMatchObject([{ state: 'removing' }]);
  });

  it('begins again a minute after its process was killed', async () => {
    const letBuild = hold();
    await media.upload(ana);
    await askForArchive(media, ana);
    const program = [...TYPESCRIPT, join(here, 'support/killed-builder.ts'), `${media.service.clock.now()}`];
    const child = spawn(process.execPath, program, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...media.service.env },
    });
    onTestEnd(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    const isHalfWritten = async () => {
      if (child.exitCode !== null) throw new Error(`the process has ended with ${child.exitCode}`);
      return (await archiveObjects(media)).some((key) => key.startsWith('.incoming/'));
    };
    await until(isHalfWritten, { what: 'an archive that is half written', limit: 100_000 });
    child.kill('SIGKILL');
    await closed;
    letBuild();
    await build();
    expect(await archiveRows(media, ana)).toMatchObject([{ state: 'building', attempts: 1 }]);
    media.service.clock.advance(MINUTE_MS);
    await build();
    expect(await archiveRows(media, ana)).toMatchObject([{ state: 'ready', attempts: 2 }]);
    const { url } = await archiveOf(media, ana);
    expect((await zipOf(url)).size).toBe(3);
    await media.service.get(ObjectStore).removeLeftovers(0);
  });

  it('is tried five times, with pauses, and has failed then; the next one is built', async () => {
    const mend = breakStore();
    await askForArchive(media, ana);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const what = `attempt ${attempt}`;
      const isOver = async () => {
        const [row] = await archiveRows(media, ana);
        return row!.attempts === attempt && (row!.claim === null || row!.state === 'failed');
      };
      await until(isOver, { what });
      await build();
      media.service.clock.advance(10 * MINUTE_MS);
      await build();
    }
    expect(await archiveRows(media, ana)).toMatchObject([
      { state: 'failed', attempts: 5, reason: 'the store is away' },
    ]);
    const failed = await archiveOf(media, ana);
    expect(failed).toMatchObject({ status: ArchiveStatus.ARCHIVE_STATUS_FAILED, url: '' });
    expect(failed.doneBytes).toBeUndefined();
    expect(await gauges()).toEqual({ building: 0, ready: 0, failed: 1 });
    expect(await archiveObjects(media)).toEqual([]);
    mend();
    await aReadyArchive(media, ana);
    expect(await gauges()).toEqual({ building: 0, ready: 1, failed: 0 });
  });

  it('that kills every process which begins it fails', async () => {
    const letBuild = hold();
    await askForArchive(media, ana);
    await media.service.tamper('UPDATE archives SET attempts = 5');
    letBuild();
    await build();
    expect((await archiveOf(media, ana)).status).toBe(ArchiveStatus.ARCHIVE_STATUS_FAILED);
  });

  it('is given back by a process that stops, and goes on at once', async () => {
    const letBuild = hold();
    await askForArchive(media, ana);
    const objects = media.service.get(ObjectStore);
    const put = objects.putStream.bind(objects);
    const stopping = new AbortController();
    const slow = jest.spyOn(objects, 'putStream').mockImplementation((key, bytes) => {
      stopping.abort();
      return put(key, bytes);
    });
    onTestEnd(() => slow.mockRestore());
    letBuild();
    await media.service.get(BuildArchives).execute(stopping.signal);
    slow.mockRestore();
    // A deployment is no attempt that failed.
    await build();
    await untilArchive(media, ana);
    expect(await archiveRows(media, ana)).toMatchObject([{ state: 'ready', attempts: 1 }]);
    expect(await archiveObjects(media)).toHaveLength(1);
  });

  it('waits for room on the disk, and that counts for no attempt', async () => {
    const letBuild = hold();
    await askForArchive(media, ana);
    const { diskReserveBytes } = media.limits;
    const empty = () => void (media.limits.diskReserveBytes = diskReserveBytes);
    onTestEnd(empty);
    media.limits.diskReserveBytes = Number.MAX_SAFE_INTEGER;
    letBuild();
    for (let looks = 0; looks < 8; looks += 1) {
      expect(await build()).toBe(true);
      media.service.clock.advance(MINUTE_MS);
    }
    expect(await archiveRows(media, ana)).toMatchObject([{ state: 'building', attempts: 0, claim: null }]);
    empty();
    await build();
    expect(await archiveRows(media, ana)).toMatchObject([{ state: 'ready', attempts: 1 }]);
  });

  it('that takes too long is tried again later, and that counts', async () => {
    const letBuild = hold();
    await askForArchive(media, ana);
    const late = AbortSignal.abort(new Error('it took longer than 30 minutes'));
    letBuild();
    await media.service.get(BuildArchives).execute(late);
    expect(await archiveRows(media, ana)).toMatchObject([
      { state: 'building', attempts: 1, claim: null, reason: 'it took longer than 30 minutes' },
    ]);
    expect((await archiveObjects(media)).map((key) => key.slice(-8))).toEqual(['document']);
  });

  it('is one pass: each has its whole time, and the one that has waited longest is the first', async () => {
    const ben = media.newId();
    const letBuild = hold();
    await askForArchive(media, ana);
    media.service.clock.advance(1);
    await askForArchive(media, ben);
    letBuild();
    const states = async () =>
      Promise.all([ana, ben].map(async (one) => (await archiveRows(media, one))[0]!.state));
    expect(await build()).toBe(true);
    expect(await states()).toEqual(['ready', 'building']);
    expect(await build()).toBe(true);
    expect(await states()).toEqual(['ready', 'ready']);
    expect(await build()).toBe(false);
  });

  it('begins with what killed attempts have left of it removed', async () => {
    const letBuild = hold();
    await askForArchive(media, ana);
    const { id } = (await archiveRows(media, ana))[0]!;
    const left = archiveKeyOf({ id, ownerId: ana, claim: media.newId() });
    await media.service.get(ObjectStore).put(left, Buffer.from('left behind'));
    letBuild();
    await build();
    const [row] = await archiveRows(media, ana);
    expect(await archiveObjects(media)).toEqual([archiveKeyOf({ id, ownerId: ana, claim: row!.claim! })]);
  });
});
