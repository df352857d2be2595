import { setTimeout as delay } from 'node:timers/promises';
import { type NativeEngines, startNativeEngines } from '../../tools/engines/native.mjs';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import { expectIntact } from '../support/expect-intact.js';
import { ApiClient, type ApiPost, type Page } from '../support/api-client.js';
import { metricOf } from '../support/operations.js';
import { projectionDifferences } from '../support/projections.js';
import { type Area, RunningMix } from '../support/running-mix.js';
import { waitFor } from '../support/wait-for.js';
import { newLedger } from '../support/write-mix.js';

/** How often each process is killed; the figure is 10. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);
/** How long engines stay down; the figure for Kafka is 60. */
const OUTAGE_MS = Number(process.env.FAULT_OUTAGE_SECONDS ?? 6) * 1000;
const RECOVERY_MS = 30_000;
const LIMIT_MS = 120_000 + OUTAGE_MS + ROUNDS * 30_000;

describe('faults under a running mix of writes', () => {
  const names = Array.from({ length: 4 }, (_, index) => `writer-${index}`);
  const ledger = newLedger();
  let engines: NativeEngines;
  let pulso: ClusterUnderTest;
  let mix: RunningMix;

  beforeAll(async () => {
    engines = await startNativeEngines();
    // Limits that nobody reaches, but that are counted.
    pulso = await startClusterPulso({ engines, env: { RATE_LIMIT_FACTOR: '1000' } });
    for (const name of names) await new ApiClient(pulso.url).signUp(name);
  }, LIMIT_MS);
  afterAll(async () => {
    await pulso?.close();
    await engines?.stop();
  }, LIMIT_MS);

  beforeEach(async () => {
    mix = await RunningMix.start(pulso.url, names, ledger);
    await mix.progress(3, RECOVERY_MS);
  }, LIMIT_MS);

  /** Writes go on within 30 s; then nothing is lost or doubled, and the projections equal what their owners hold. */
  async function expectRecovery() {
    const until = performance.now() + RECOVERY_MS;
    await mix.progress(5, RECOVERY_MS);
    await mix.stop();
    await pulso.drainEvents(Math.max(1, until - performance.now()));
    const different = () => projectionDifferences(pulso.databases);
    expect(await waitFor(different, ({ length }) => length === 0, until - performance.now())).toEqual([]);
    await expectIntact(pulso.url, names, ledger);
  }

  /** Of what does not need the part that is down, every write was acknowledged. */
  const expectUntouched = (...areas: Area[]) => {
    for (const area of areas)
      expect({ area, unanswered: mix.unanswered[area] }).toEqual({ area, unanswered: [] });
  };

  it.each([
    // Who has just changed their profile cannot follow until social has heard of it.
    ['identity', ['posts']],
    ['social', ['posts', 'identity']],
    ['posts', ['social', 'identity']],
    ['gateway', []],
  ] as const)(
    '%s killed -9 and started again',
    async (role, untouched) => {
      const [member] = pulso.processes[role];
      for (let round = 0; round < ROUNDS; round += 1) {
        await mix.progress(2, RECOVERY_MS);
        await member!.kill();
        await member!.untilReady();
      }
      await expectRecovery();
      expectUntouched(...untouched);
    },
    LIMIT_MS,
  );

  it(
    'Kafka down: writes and reads go on, what others must hear of waits',
    async () => {
      await engines.engines.kafka.stop();
      const before = { ...mix.acknowledged };
      await delay(OUTAGE_MS);
      expect(mix.acknowledged.posts - before.posts).toBeGreaterThan(10);
      const reader = await new ApiClient(pulso.url).logIn(names[0]!);
      expect((await reader.get<Page<ApiPost>>('/api/feed')).body.items).toHaveLength(20);
      await engines.engines.kafka.start();
      await expectRecovery();
      // Social and identity answer, too; a client that has just changed one must wait for it to reach the other.
      expectUntouched('posts');
    },
    LIMIT_MS,
  );

  it(
    'PostgreSQL restarted: the feed, posts, likes and comments know nothing of it',
    async () => {
      await engines.engines.postgres.restart();
      await expectRecovery();
      expectUntouched('posts');
    },
    LIMIT_MS,
  );

  it(
    'Redis gone: nothing fails, limits hold for each gateway by itself',
    async () => {
      const gateways = pulso.processes.gateway.map(({ operationsUrl }) => operationsUrl);
      const fallbacks = () => metricOf(gateways, 'pulso_rate_limit_fallbacks_total');
      const said = (line: string) => pulso.processes.gateway[0]!.output.split(line).length - 1;
      const line = 'each replica counts rate limits by itself';
      const before = said(line);
      await engines.engines.redis.stop();
      await mix.progress(10, RECOVERY_MS);
      await delay(OUTAGE_MS);
      expect(await fallbacks()).toBeGreaterThan(10);
      expect(said(line) - before).toBe(1);
      await engines.engines.redis.start();
      await expectRecovery();
      expectUntouched('posts', 'social', 'identity');
      // Counted together again.
      const client = new ApiClient(pulso.url);
      const grows = async () => {
        const count = await fallbacks();
        await client.get('/api/config');
        return (await fallbacks()) - count;
      };
      expect(await waitFor(grows, (growth) => growth === 0, RECOVERY_MS)).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'the document store restarted: accounts and follows know nothing of it',
    async () => {
      process.kill(engines.engines.documents.pid, 'SIGKILL');
      await expectRecovery();
      expectUntouched('social', 'identity');
    },
    LIMIT_MS,
  );
});
