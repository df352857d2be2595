import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { readInput } from '@pulso/platform/command-line/run-commands';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';
import { media as definition } from '../src/service.js';
import { VideoWork } from '../src/video-worker/video-work.js';
import { TestMedia } from './start.js';
import { SampleVideos } from './support/sample-videos.js';
import { TestVideos } from './support/test-videos.js';

const MINUTE_MS = 60_000;
const here = dirname(fileURLToPath(import.meta.url));

let media: TestMedia;
let videos: TestVideos;
let samples: SampleVideos;
beforeEach(async () => {
  samples = await SampleVideos.start();
  media = await TestMedia.start();
  videos = await TestVideos.start(media);
});
afterEach(async () => {
  await videos?.stop();
  await media?.stop();
  await samples?.stop();
});

async function command(name: 'videos' | 'retry-video', ...words: string[]): Promise<string[]> {
  const line = definition.commands[name]!;
  return [...(await line.prepare(readInput(line, words))(media.service.running))];
}

/** The worker's folders of this process and of `pid`. */
const foldersOf = async (pid: number) =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`pulso-video-${pid}-`));

// Rule: MEDIA-11
describe('a video', () => {
  it('waits while the object store is away, is listed and retried by operators, and is ready after it', async () => {
    const bytes = await samples.silent();
    const id = await videos.uploaded({ bytes });
    const away = `${media.objects}-away`;
    await rename(media.objects, away);
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await videos.work();
      media.service.clock.advance(10 * MINUTE_MS);
    }
    const waiting = await videos.row(id);
    expect(waiting).toMatchObject({ status: 'processing', attempts: 8, deaths: 0, bytes: bytes.length });
    expect(waiting.reason).not.toBe('');
    expect((await command('videos', '--due'))[1]).toContain(`${id}`);
    expect(await command('videos', '--failed')).toEqual(['No videos.']);
    await rename(away, media.objects);
    await videos.work();
    expect(await videos.row(id)).toMatchObject({ status: 'ready', reason: '' });
    await expect(command('retry-video', id)).rejects.toThrow(`No video ${id} waits.`);
  });

  it('is due at once where an operator says so', async () => {
    const id = await videos.uploaded({ bytes: await samples.silent() });
    const away = `${media.objects}-away`;
    await rename(media.objects, away);
    await videos.work();
    await rename(away, media.objects);
    await videos.work();
    expect((await videos.row(id)).status).toBe('processing');
    expect(await command('retry-video', id)).toEqual([`media: ${id} is due now.`]);
    await videos.work();
    expect((await videos.row(id)).status).toBe('ready');
  });

  it('is taken by one worker at a time, and again a minute after the other one was killed', async () => {
    const id = await videos.uploaded({ bytes: await samples.silent() });
    const program = [...TYPESCRIPT, join(here, 'support/killed-video-worker.ts')];
    const pids: number[] = [];
    for (let deaths = 1; deaths <= 2; deaths += 1) {
      const child = spawn(process.execPath, [...program, `${media.service.clock.now()}`], {
        stdio: ['ignore', 'inherit', 'inherit'],
        // It is killed while ffprobe, which takes its time, has the file.
        env: { ...process.env, ...media.service.env, FFPROBE_PATH: join(here, 'support/slow-program.sh') },
      });
      pids.push(child.pid!);
      onTestEnd(() => void child.kill('SIGKILL'));
      const closed = once(child, 'close');
      const isTaken = async () => {
        if (child.exitCode !== null) throw new Error(`the worker has ended with ${child.exitCode}`);
        return (await videos.row(id)).deaths === deaths && (await foldersOf(child.pid!)).length > 0;
      };
      await until(isTaken, { what: `a worker that has the video, number ${deaths}` });
      await videos.work();
      expect(await videos.row(id)).toMatchObject({ status: 'processing', deaths });
      child.kill('SIGKILL');
      await closed;
      await videos.work();
      expect((await videos.row(id)).status).toBe('processing');
      media.service.clock.advance(MINUTE_MS);
    }
    await videos.work();
    expect(await videos.row(id)).toMatchObject({ status: 'ready', attempts: 3, deaths: 0 });
    // The next worker to start finds what they have left.
    const next = await TestVideos.start(media);
    await next.stop();
    for (const pid of pids) expect(await foldersOf(pid)).toEqual([]);
  });

  it('that kills every worker which has it fails', async () => {
    const id = await videos.uploaded({ bytes: await samples.silent() });
    await media.service.tamper('UPDATE videos SET deaths = 4 WHERE id = $1', [id]);
    await videos.work();
    expect(await videos.row(id)).toMatchObject({
      status: 'failed',
      problem: VALIDATION_MESSAGES.videoNotPrepared,
    });
  });

  it('is given back by a worker that stops', async () => {
    const id = await videos.uploaded({ bytes: await samples.bomb() });
    const work = videos.worker.get(VideoWork);
    const performed = work.perform(id);
    await until(async () => (await foldersOf(process.pid)).length > 0, { what: 'the beginning of the work' });
    work.stop();
    await performed;
    expect(await videos.row(id)).toMatchObject({ status: 'processing', deaths: 0 });
    expect((await videos.row(id)).dueAt).toBe(media.service.clock.now());
    expect(await videos.outcomes('given_back')).toBe(1);
  });

  it('that is deleted meanwhile leaves nothing', async () => {
    const ownerId = media.newId();
    const id = await videos.uploaded({ bytes: await samples.silent(), ownerId });
    const work = videos.worker.get(VideoWork);
    const performed = work.perform(id);
    await until(async () => (await foldersOf(process.pid)).length > 0, { what: 'the beginning of the work' });
    await videos.deleted(id);
    await performed;
    expect(await videos.objectsOf(id)).toEqual([]);
    expect([await videos.outcomes('gone'), await media.used(ownerId)]).toEqual([1, 0]);
    media.service.clock.advance(10 * MINUTE_MS);
    await videos.work();
    expect(await videos.objectsOf(id)).toEqual([]);
    expect([await videos.outcomes('gone'), (await videos.row(id)).attempts]).toEqual([1, 1]);
  });

  it('that is ready loses the pieces that a killed worker has left', async () => {
    const { id } = await videos.prepared({ bytes: await samples.silent() });
    await media.service.tamper("INSERT INTO upload_pieces VALUES ($1, 0, 1, 'uploads/x')", [id]);
    await videos.work();
    expect(await media.service.rows('SELECT FROM upload_pieces WHERE upload_id = $1', [id])).toEqual([]);
    expect((await videos.objectsOf(id)).length).toBe(2);
  });
});
