import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pulso/platform/testing/until';
import type { RunningPulso } from '../../src/compose-pulso.js';
import { createDatabases, databasesOn, dropDatabases } from '../../src/databases.js';
import { newSecrets } from '../../src/launcher/data-directory.js';
import { composeQuietly } from '../compose-quietly.js';
import { type Act, actsOf, newWorld, NOT_MEASURED } from './acts.js';
import { growthOf, least, tableText } from './growth.js';
import { type Costs, hearCosts, type Hearing, MONITORED } from './hear-costs.js';
import { hearTimers } from './hear-timers.js';
import { quietly } from './quietly.js';

const TABLE = new URL('./costs.json', import.meta.url);
/**
 * An act is repeated when it costs more than the table says, and the least of each fact counts: what comes with the time may have
 * run beside it, and on a busy machine some events wait for a row.
 */
const TRIES = 6;
const QUIET_MS = 40;
const SETTLE_LIMIT_MS = 20_000;
const IDLE_MS = 10_000;
const MINUTE_MS = 60_000;
const IDLE = 'idling for a minute';
/** What comes every few seconds comes once more or less in a window. */
const IDLE_SPREAD = { share: 0.25, count: 12 };

/** `npm run costs` writes the table. */
describe('what each call costs', () => {
  const postgresUrl = process.env['PULSO_TEST_POSTGRES_URL']!;
  const given = process.env['PULSO_TEST_MONGODB_URL']!;
  const mongodbUrl = `${given}${given.includes('?') ? '&' : '?'}${MONITORED}`;
  const prefix = `costs_${randomUUID().slice(0, 8)}`;
  const databases = databasesOn({ postgresUrl, mongodbUrl }, prefix);
  const objectsDirectory = join(tmpdir(), prefix);
  const isWritten = process.env['PULSO_WRITE_COSTS'] === '1';
  const { [IDLE]: idleTold = {}, ...table } = (
    existsSync(TABLE) ? JSON.parse(readFileSync(TABLE, 'utf8')) : {}
  ) as Record<string, Costs> & { [IDLE]?: Record<string, number> };
  const measured: Record<string, Costs | Record<string, number>> = {};
  let pulso: RunningPulso;
  let acts: Record<string, Act>;

  beforeAll(async () => {
    await createDatabases(postgresUrl, databases);
    pulso = await composeQuietly({ databases, objectsDirectory, secrets: await newSecrets() });
    acts = actsOf(await newWorld(pulso.url));
    await heardUntilSettled(async () => undefined);
  });
  afterAll(async () => {
    await pulso?.close();
    await dropDatabases(postgresUrl, databases);
    await rm(objectsDirectory, { recursive: true, force: true });
    if (isWritten && Object.keys(measured).length > Object.keys(acts).length)
      writeFileSync(TABLE, tableText(measured));
  });

  /** Until every service has handled everything, and no job is under way. */
  async function settled(hearing: Hearing): Promise<void> {
    const relays = Object.values(pulso.services).map(({ relay }) => relay);
    const left = () =>
      quietly.run(true, async () => {
        const depths = await Promise.all([pulso.bus.pending(), ...relays.map((relay) => relay.depth())]);
        return depths.reduce((sum, depth) => sum + depth, 0);
      });
    await until(async () => (await left()) === 0 && hearing.quietMs() >= QUIET_MS, {
      what: 'everything to be handled',
      limit: SETTLE_LIMIT_MS,
    });
  }

  async function measure({ before, act }: Act): Promise<Costs> {
    await before?.();
    await heardUntilSettled(async () => undefined);
    return heardUntilSettled(act);
  }

  async function heardUntilSettled(act: () => Promise<unknown>): Promise<Costs> {
    const hearing = hearCosts();
    try {
      await act();
      await settled(hearing);
    } finally {
      hearing.end();
    }
    return hearing.costs;
  }

  it('is told of each call of the API', () => {
    const url = new URL('../../../../docs/openapi.json', import.meta.url);
    const { paths } = JSON.parse(readFileSync(url, 'utf8')) as { paths: Record<string, object> };
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const told = Object.keys(actsOf({} as never));
    expect([...told, ...Object.keys(NOT_MEASURED)].sort()).toEqual(calls.sort());
    if (!isWritten) expect(Object.keys(table).sort()).toEqual(told.sort());
  });

  it.each(Object.keys(actsOf({} as never)))('%s', async (name) => {
    const act = acts[name]!;
    // Statements are prepared once a connection, and some answers are remembered for a second.
    await measure(act);
    let costs = await measure(act);
    const isMore = () => isWritten || growthOf(costs, table[name]).length > 0;
    for (let count = 1; count < TRIES && isMore(); count += 1) costs = least(costs, await measure(act));
    measured[name] = costs;
    if (!isWritten) expect(growthOf(costs, table[name])).toEqual([]);
  });

  it(IDLE, async () => {
    const hearing = hearCosts();
    const timers = hearTimers();
    await delay(IDLE_MS);
    hearing.end();
    const { statements, commands, rpcs } = hearing.costs;
    const sumOf = (counts: Record<string, number>) =>
      Object.values(counts).reduce((sum, count) => sum + count, 0);
    const counted = {
      timers: timers.end(),
      statements: sumOf(statements),
      commands: sumOf(commands),
      rpcs: sumOf(rpcs),
    };
    const aMinute = Object.fromEntries(
      Object.entries(counted).map(([kind, count]) => [kind, Math.round((count * MINUTE_MS) / IDLE_MS)]),
    );
    measured[IDLE] = aMinute;
    if (isWritten) return;
    const { share, count } = IDLE_SPREAD;
    const grown = Object.entries(aMinute).filter(
      ([kind, times]) => times > (idleTold[kind] ?? 0) * (1 + share) + count,
    );
    expect(grown.map(([kind, times]) => `${kind}: ${times} instead of ${idleTold[kind]}`)).toEqual([]);
  });
});
