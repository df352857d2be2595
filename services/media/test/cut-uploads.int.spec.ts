import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { VideoStatus } from '@pulso/contracts/media/v1/media';
import { sendWithCuts } from '@pulso/platform/testing/cut-upload';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Dice } from '@pulso/platform/testing/seeded';
import { TusClient } from '@pulso/platform/testing/tus-client';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';
import { StoredPieces } from '../src/store/stored-pieces.js';
import { TestMedia } from './start.js';
import { someBytes } from './support/a-video.js';

/** The whole way, through a gateway, is `e2e/crash/video-upload`. */
const MEGABYTES = 4;
const CUTS = 3;
const KILLS = 1;
const SEED = Number(process.env['TEST_SEED'] ?? 49);
const MB = 1024 * 1024;
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

// Rule: MEDIA-23
it(`is whole after ${CUTS} cuts and ${KILLS} kill -9 of ${MEGABYTES} MB (TEST_SEED=${SEED})`, async () => {
  const file = someBytes(MEGABYTES * MB);
  const ana = media.newId();
  const clientOf = (base: string) => new TusClient(base, () => media.service.authorizationOf(ana));
  let server = await startProcess();
  const tus = clientOf(server.base);
  const id = await tus.begin({ length: file.length });
  await sendWithCuts({
    ...{ tus, id, file, cuts: CUTS, kills: KILLS, dice: new Dice(SEED) },
    async kill() {
      await server.kill();
      server = await startProcess();
      return clientOf(server.base);
    },
  });
  expect((await buffer(await media.service.get(StoredPieces).open(id))).equals(file)).toBe(true);
  const { video } = await media.service.as(ana, (client) => client.getAsset({ id }));
  expect(video!.facts).toMatchObject({ status: VideoStatus.VIDEO_STATUS_PROCESSING, bytes: file.length });
  const pieces = await media.service.rows<{ bytes: number }>(
    'SELECT bytes FROM upload_pieces WHERE upload_id = $1',
    [id],
  );
  expect(pieces.every(({ bytes }) => bytes <= MB)).toBe(true);
});
