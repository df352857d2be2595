import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { startKafka } from '../../tools/engines/kafka.mjs';
import { aLife } from '../support/a-life.js';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import {
  type Erased,
  erase,
  erasureOf,
  expectNothingOutsideStores,
  untilErased,
  untilNothingInStores,
} from '../support/erasures.js';
import { withClients } from '../support/test-pulso.js';

const LIMIT_MS = 300_000;

/** The short form of `e2e/soak/erasure.int.spec.ts`, with a Kafka that no other suite uses. */
// Rule: ACCT-34
describe('an erasure while Kafka is away', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-erasure-'));
  const lines: string[] = [];
  let kafka: Awaited<ReturnType<typeof startKafka>> | undefined;
  let pulso: ClusterUnderTest;
  let erased: Erased;

  beforeAll(async () => {
    kafka = await startKafka(folder);
    pulso = await startClusterPulso({
      engines: { kafkaBrokers: kafka.brokers },
      logLevel: 'info',
      onLine: (line) => lines.push(line),
    });
  }, LIMIT_MS);
  afterAll(async () => {
    try {
      await pulso?.close();
    } finally {
      await kafka?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, LIMIT_MS);

  it(
    'waits for all other services, and is complete when Kafka is back',
    async () => {
      const life = await aLife(withClients(pulso), 'wombat');
      // What is published after the outage is of the erasure.
      await pulso.drainEvents();
      await kafka!.stop();
      try {
        erased = await erase(life, 0);
        const line = await erasureOf(pulso, life);
        for (const name of SERVICE_NAMES.filter((service) => service !== 'identity'))
          expect(line).toMatch(new RegExp(` missing: .*\\b${name}\\b`));
      } finally {
        await kafka!.start();
      }
      await untilErased(pulso, life);
    },
    LIMIT_MS,
  );

  it('leaves nothing in the stores but what others have answered', async () => {
    await untilNothingInStores([erased], pulso);
  }, 240_000);

  it(
    'leaves no event of later with a name, no job, and no line in a log, where all that is planted is found',
    () => expectNothingOutsideStores([erased], pulso, lines),
    LIMIT_MS,
  );
});
