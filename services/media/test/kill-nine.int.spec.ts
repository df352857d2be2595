import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Dice } from '@pulso/platform/testing/seeded';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';
import { KillLedger } from './support/kill-ledger.js';
import { expectOnly, expectThere } from './support/stored-objects.js';
import { DAY_MS, TestMedia } from './start.js';

/** `npm run soak -- media` makes more of them. */
const KILLS = Number(process.env['MEDIA_KILLS'] ?? 2);
const SEED = Number(process.env['TEST_SEED'] ?? 36);
const OWNERS = 3;
/** The most acts that are answered before a kill. */
const MOST_ACTS = 20;
const HOUR_MS = 60 * 60_000;
const SLOW = { limit: 100_000 };

const here = dirname(fileURLToPath(import.meta.url));

let media: TestMedia;
beforeAll(async () => (media = await TestMedia.start()));
afterAll(() => media?.stop());

/** Starts a process of media, and kills it after so many answers. */
async function killAfter(acts: number, ledger: KillLedger, seed: number): Promise<void> {
  const words = [`${seed}`, `${media.service.clock.now()}`, ...ledger.owners];
  const args = [...TYPESCRIPT, join(here, 'support/uploader.ts'), ...words];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...media.service.env },
  });
  onTestEnd(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  let [answers, rest, complaint] = [0, '', ''];
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (ledger.note(line)) answers += 1;
  });
  const isDue = () => {
    if (child.exitCode !== null) throw new Error(`media ended by itself: ${complaint}`);
    return answers > acts;
  };
  await until(isDue, { what: () => `${acts} answers, there were ${answers}; ${complaint}`, ...SLOW });
  child.kill('SIGKILL');
  await closed;
  // What had reached the database before the kill is finished there.
  const running = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`;
  const isQuiet = async () => (await media.service.rows(running)).length === 0;
  await until(isQuiet, { what: 'no open transaction', ...SLOW });
}

/** Files that were half written stay for ten minutes of the machine's own time. */
async function ageHalfWritten(): Promise<void> {
  const folder = join(media.objects, '.incoming');
  const hourAgo = new Date(Date.now() - HOUR_MS);
  for (const name of await readdir(folder)) await utimes(join(folder, name), hourAgo, hourAgo);
}

// Rule: MEDIA-13, MEDIA-14
it(`loses no image and keeps no file or byte that is nobody's, over ${KILLS} kill -9 (TEST_SEED=${SEED})`, async () => {
  const dice = new Dice(SEED);
  const { clock } = media.service;
  const owners = Array.from({ length: OWNERS }, () => media.newId());
  const ledger = new KillLedger(media, owners, dice);
  for (let round = 0; round < KILLS; round += 1) {
    await killAfter(dice.below(MOST_ACTS), ledger, SEED + round);
    await expectThere(media, ledger.kept());
    await ledger.settlePosts();
    await expectThere(media, ledger.published());
    // Some of what was uploaded expires, and the next process removes it while it is killed.
    clock.advance(dice.pick([0, HOUR_MS, DAY_MS + HOUR_MS]));
  }
  await ageHalfWritten();
  // What was claimed for a post that never came is kept for eight days, and what a killed job has left is due after an hour.
  for (const pause of [0, 9 * DAY_MS, HOUR_MS]) {
    clock.advance(pause);
    await media.remove();
  }
  const published = ledger.published();
  await expectThere(media, published);
  await expectOnly(media, published, owners);
  expect(await readdir(join(media.objects, '.incoming'))).toEqual([]);
  expect(published).not.toEqual([]);
});
