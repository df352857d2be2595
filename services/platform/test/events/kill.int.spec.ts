import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drainEvents } from '../../src/events/drain-events.js';
import { migrateBus } from '../../src/events/bus-schema.js';
import { openSystem, type Step } from './one-post.js';
import { aPostgresDatabase } from '../../testing/databases.js';

const here = dirname(fileURLToPath(import.meta.url));

/** Runs the system until it reports that it has reached the step, then kills it. */
async function killAt(step: Step, url: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      '--import',
      join(here, 'typescript-loader.mjs'),
      join(here, 'killed-process.ts'),
      url,
      step,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const exited = once(child, 'exit');
  try {
    const said = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)]);
    if (!said) throw new Error(`The process ended before ${step}: ${complaint}`);
    expect(String(said[0]).trim()).toBe(step);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

describe('a process killed between commit and acknowledgement', () => {
  let database: Awaited<ReturnType<typeof aPostgresDatabase>>;

  beforeEach(async () => {
    database = await aPostgresDatabase('platform');
    await migrateBus(database.pool);
    await database.pool.query('CREATE TABLE projection (id text PRIMARY KEY, version bigint, handled int)');
  });

  afterEach(() => database.drop());

  it.each<[Step, { handledTwice: boolean }]>([
    ['committed', { handledTwice: false }],
    ['published', { handledTwice: false }],
    ['handled', { handledTwice: true }],
  ])('after %s loses no event', async (step, { handledTwice }) => {
    await killAt(step, database.url);
    const system = await openSystem(database.url, () => Promise.resolve());
    await drainEvents({ relays: [system.relay], bus: system.bus });
    const { rows } = await database.pool.query('SELECT * FROM projection');
    const handled = handledTwice ? 2 : 1;
    // Killed before the outbox was cleared, the handler may or may not have run before the kill.
    const expected = step === 'published' ? expect.any(Number) : handled;
    expect(rows).toEqual([{ id: 'post', version: '3', handled: expected }]);
    await system.close();
  });
});
