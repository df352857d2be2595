import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pulso/platform/testing/until';
import { type NativeEngines, startNativeEngines } from '../../tools/engines/native.mjs';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import { withSeed } from '../support/dice.js';
import { expectIntact } from '../support/expect-intact.js';
import { ApiClient, type ApiPost, type Page } from '../support/api-client.js';
import { metricOf } from '../support/operations.js';
import { projectionDifferences } from '../support/projections.js';
import { type Area, RunningMix } from '../support/running-mix.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';
import { newLedger } from '../support/write-mix.js';

/** How often each process is killed; a long run uses 10. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);
/** How long engines stay down; a long run uses 60 for Kafka. */
const OUTAGE_MS = Number(process.env.FAULT_OUTAGE_SECONDS ?? 6) * 1000;
/** Ends what does not recover. */
const RECOVERY_MS = 120_000;
const LIMIT_MS = 600_000 + OUTAGE_MS + ROUNDS * 2 * RECOVERY_MS;

describe(withSeed('faults during a mix of writes'), () => {
  const names = Array.from({ length: 4 }, (_, index) => `writer-${index}`);
  const ledger = newLedger();
  let engines: NativeEngines;
  let pulso: ClusterUnderTest;
  let mix: RunningMix;

  beforeAll(async () => {
    engines = await startNativeEngines();
    // Limits that no request reaches, but that are counted.
    pulso = await startClusterPulso({ engines, env: { RATE_LIMIT_FACTOR: '1000' } });
    for (const name of names) await new ApiClient(pulso.url).signUp(name);
  }, LIMIT_MS);
  afterAll(async () => {
    await pulso?.close();
    await engines?.stop();
  }, LIMIT_MS);

  // Also when a test fails: writers that go on would disturb the next one.
  afterEach(() => mix?.stop().catch(() => undefined), LIMIT_MS);
  beforeEach(async () => {
    mix = await RunningMix.start(pulso.url, names, ledger);
    await mix.progress(3, RECOVERY_MS);
  }, LIMIT_MS);

  /**
   * Expects writes to continue, no write to be lost or repeated, and projections that equal their owners' data.
   */
  async function expectRecovery() {
    await mix.progress(5, RECOVERY_MS);
    await mix.stop();
    await pulso.drainEvents(RECOVERY_MS);
    const different = () => projectionDifferences(pulso.databases);
    await waitForEqual(different, [], { what: 'the differences between projections and owners' });
    await expectIntact(pulso.url, names, ledger);
  }

  /** Expects that every write was acknowledged which does not need the part that is down. */
  const expectUntouched = (...areas: Area[]) => {
    for (const area of areas)
      expect({ area, unanswered: mix.unanswered[area] }).toEqual({ area, unanswered: [] });
  };

  it.each([
    // A user who has just changed their profile cannot follow until social has received the change.
    ['identity', ['posts']],
    ['social', ['posts', 'identity']],
    ['posts', ['social', 'identity']],
    ['messaging', ['posts', 'social', 'identity']],
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
    'Kafka down: writes and reads continue, and events wait',
    async () => {
      await engines.engines.kafka.stop();
      const before = { ...mix.acknowledged };
      await delay(OUTAGE_MS);
      await until(() => mix.acknowledged.posts - before.posts > 10, {
        what: () =>
          `ten posts during the outage, of which there were ${mix.acknowledged.posts - before.posts}`,
      });
      const reader = await new ApiClient(pulso.url).logIn(names[0]!);
      expect((await reader.get<Page<ApiPost>>('/api/feed')).body.items).toHaveLength(20);
      await engines.engines.kafka.start();
      await expectRecovery();
      // Social and identity respond, too; but after a change in one, a client must wait until the other has received
      // it.
      expectUntouched('posts');
    },
    LIMIT_MS,
  );

  it(
    'PostgreSQL restarted: the feed, posts, likes and comments are not affected',
    async () => {
      await engines.engines.postgres.restart();
      await expectRecovery();
      expectUntouched('posts');
    },
    LIMIT_MS,
  );

  it(
    'Redis down: nothing fails, and each gateway applies its own limits',
    async () => {
      const gateways = pulso.processes.gateway.map(({ operationsUrl }) => operationsUrl);
      const fallbacks = () => metricOf(gateways, 'pulso_rate_limit_fallbacks_total');
      const said = (line: string) => pulso.processes.gateway[0]!.output.split(line).length - 1;
      const line = 'each replica counts rate limits by itself';
      const before = said(line);
      await engines.engines.redis.stop();
      await mix.progress(10, RECOVERY_MS);
      await delay(OUTAGE_MS);
      await waitFor(fallbacks, (count) => count > 10, { what: 'hits that each gateway counts alone' });
      expect(said(line) - before).toBe(1);
      await engines.engines.redis.start();
      await expectRecovery();
      expectUntouched('posts', 'social', 'identity');
      // The gateways count together again.
      const client = new ApiClient(pulso.url);
      const grows = async () => {
        const count = await fallbacks();
        await client.get('/api/config');
        return (await fallbacks()) - count;
      };
      await waitForEqual(grows, 0, { what: 'the growth of the hits that a gateway counts alone' });
    },
    LIMIT_MS,
  );

  it(
    'the document store restarted: accounts and follows are not affected',
    async () => {
      process.kill(engines.engines.documents.pid, 'SIGKILL');
      await expectRecovery();
      expectUntouched('social', 'identity');
    },
    LIMIT_MS,
  );
});
