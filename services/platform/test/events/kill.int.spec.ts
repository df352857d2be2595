import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drainEvents } from '../../src/events/drain-events.js';
import { migrateBus } from '../../src/events/bus-schema.js';
import { openSystem, type Step } from './one-post.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { killAfterOutput } from '../process/kill-after-output.js';

const program = join(dirname(fileURLToPath(import.meta.url)), 'killed-process.ts');

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
    expect(await killAfterOutput(program, [database.url, step])).toBe(step);
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
