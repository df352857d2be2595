import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { VideoStatus } from '@pulso/contracts/media/v1/media';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Dice } from '@pulso/platform/testing/seeded';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';
import { StoredPieces } from '../src/store/stored-pieces.js';
import { TestMedia } from './start.js';
import { someBytes } from './support/a-video.js';
import { TusClient } from './support/tus-client.js';

/** `npm run soak -- video-upload` makes more of them. */
const MEGABYTES = Number(process.env['UPLOAD_MEGABYTES'] ?? 4);
const CUTS = Number(process.env['UPLOAD_CUTS'] ?? 3);
const KILLS = Number(process.env['UPLOAD_KILLS'] ?? 1);
const SEED = Number(process.env['TEST_SEED'] ?? 49);
const MB = 1024 * 1024;
const WRITTEN_AT_ONCE = 64 * 1024;
const SLOW = { limit: 100_000 };

const here = dirname(fileURLToPath(import.meta.url));

let media: TestMedia;
beforeAll(async () => (media = await TestMedia.start()));
afterAll(() => media?.stop());

/** A process of media, and what kills it. */
async function startProcess(): Promise<{ base: string; kill(): Promise<void> }> {
  const args = [...TYPESCRIPT, join(here, 'support/media-server.ts'), `${media.service.clock.now()}`];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...media.service.env },
  });
  onTestEnd(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  let [port, complaint] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => (port += chunk.toString()));
  const listens = () => {
    if (child.exitCode !== null) throw new Error(`media ended by itself: ${complaint}`);
    return port.endsWith('\n');
  };
  await until(listens, { what: () => `the port of media; ${complaint}`, ...SLOW });
  return {
    base: `http://127.0.0.1:${port.trim()}`,
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

type End = 'cut' | 'killed' | 'whole';

// Rule: MEDIA-23
it(`is whole after ${CUTS} cuts and ${KILLS} kill -9 of ${MEGABYTES} MB (TEST_SEED=${SEED})`, async () => {
  const dice = new Dice(SEED);
  const file = someBytes(MEGABYTES * MB);
  const ana = media.newId();
  const authorization = () => media.service.authorizationOf(ana);
  let server = await startProcess();
  let tus = new TusClient(server.base, authorization);
  const id = await tus.begin({ length: file.length });
  /** What the client has handed to its connections, and how far media has said that it has come. */
  let [sent, acknowledged] = [0, 0];

  /** Sends from where media stands up to `end`, and resolves to the status; undefined of what had none. */
  async function send(end: number, then: End): Promise<number | undefined> {
    const from = (await tus.offsetOf(id))!;
    expect(from).toBeGreaterThanOrEqual(acknowledged);
    acknowledged = from;
    const { request, answer } = await tus.slowPatch(id, from, file.length - from);
    let status: number | undefined;
    const over = Promise.race([answer.then((given) => (status = given)), once(request, 'close')]);
    over.catch(() => undefined);
    for (let at = from; at < end && status === undefined; at += WRITTEN_AT_ONCE) {
      const part = file.subarray(at, Math.min(at + WRITTEN_AT_ONCE, end));
      sent += part.length;
      if (!request.write(part)) await Promise.race([once(request, 'drain'), over]);
      // As fast as a good line. What is handed over faster than media takes it waits in the system, and a kill loses it.
      await pause(8);
    }
    if (status === undefined && then === 'killed') await server.kill();
    if (status === undefined && then === 'whole') {
      request.end();
      return answer;
    }
    request.destroy();
    return status;
  }

  const ends = dice.shuffled([
    ...Array.from({ length: CUTS }, (): End => 'cut'),
    ...Array.from({ length: KILLS }, (): End => 'killed'),
  ]);
  const step = file.length / (ends.length + 1);
  for (const [index, then] of [...ends, 'whole' as const].entries()) {
    const end = then === 'whole' ? file.length : Math.round(step * (index + 1)) - dice.below(WRITTEN_AT_ONCE);
    // What the connection before has brought may still be stored after media was asked: then the place is another.
    await until(async () => (await send(end, then)) !== 409, { what: 'a place to go on', ...SLOW });
    if (then !== 'killed') continue;
    server = await startProcess();
    tus = new TusClient(server.base, authorization);
  }

  expect((await buffer(await media.service.get(StoredPieces).open(id))).equals(file)).toBe(true);
  const { video } = await media.service.as(ana, (client) => client.getAsset({ id }));
  expect(video!.facts).toMatchObject({ status: VideoStatus.VIDEO_STATUS_PROCESSING, bytes: file.length });
  const pieces = await media.service.rows<{ bytes: number }>(
    'SELECT bytes FROM upload_pieces WHERE upload_id = $1',
    [id],
  );
  expect(pieces.every(({ bytes }) => bytes <= MB)).toBe(true);
  process.stdout.write(`sent ${(sent / file.length).toFixed(3)} times the size of ${MEGABYTES} MB\n`);
}, 300_000);
