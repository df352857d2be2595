import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drainEvents } from '../../src/events/outbox/drain-events.js';
import { migrateBus } from '../../src/events/in-process/bus-schema.js';
import { openSystem, type Step } from './one-post.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { killWhenItSays } from '../process/kill-when-it-says.js';

const here = dirname(fileURLToPath(import.meta.url));

describe('a process killed between commit and acknowledgement', () => {
  let database: Awaited<ReturnType<typeof aPostgresDatabase>>;

  beforeEach(async () => {
    database = await aPostgresDatabase('platform');
    onTestEnd(() => database.drop());
    await migrateBus(database.pool);
    await database.pool.query('CREATE TABLE projection (id text PRIMARY KEY, version bigint, handled int)');
  });

  it.each<[Step, { handledTwice: boolean }]>([
    ['committed', { handledTwice: false }],
    ['published', { handledTwice: false }],
    ['handled', { handledTwice: true }],
  ])('after %s loses no event', async (step, { handledTwice }) => {
    await killWhenItSays(step, { file: join(here, 'killed-process.ts'), args: [database.url, step] });
    const system = await openSystem(database.url, () => Promise.resolve());
    onTestEnd(() => system.close());
    await drainEvents({ relays: [system.relay], bus: system.bus, timeoutMs: 100_000 });
    const { rows } = await database.pool.query('SELECT * FROM projection');
    const handled = handledTwice ? 2 : 1;
    // Killed before the outbox was cleared, the handler may or may not have run before the kill.
    const expected = step === 'published' ? expect.any(Number) : handled;
    expect(rows).toEqual([{ id: 'post', version: '3', handled: expected }]);
  });
});
