import { randomUUID } from 'node:crypto';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import { type ClusterOptions, startCluster, withServer } from '../../tools/cluster/cluster.mjs';
import { engine } from '../support/test-pulso.js';

describe('a cluster that cannot start', () => {
  const prefix = `start_${randomUUID().slice(0, 8)}`;

  afterAll(async () => {
    await withServer(engine('PULSO_TEST_POSTGRES_URL'), async (client) => {
      for (const name of ['identity', 'social']) {
        await client.query(`DROP DATABASE IF EXISTS ${prefix}_${name} WITH (FORCE)`);
      }
    });
  });

  async function failureOf(
    engines: Partial<ClusterOptions['engines']>,
    options: Partial<ClusterOptions> = {},
  ): Promise<string> {
    const cluster = await startCluster({
      engines: {
        kafkaBrokers: engine('PULSO_TEST_KAFKA_BROKERS'),
        redisUrl: engine('PULSO_TEST_REDIS_URL'),
        postgresUrl: engine('PULSO_TEST_POSTGRES_URL'),
        mongodbUrl: engine('PULSO_TEST_MONGODB_URL'),
        ...engines,
      },
      secrets: await newSecrets(),
      prefix,
      topicPrefix: `${prefix}.`,
      ...options,
    }).catch((error: Error) => error.message);
    if (typeof cluster === 'string') return cluster;
    await cluster.stop();
    throw new Error('It started');
  }

  it('names the setting of a PostgreSQL that cannot be used, without its password', async () => {
    const line = /^POSTGRES_URL: postgres:\/\/u:\*\*\*@127\.0\.0\.1:1\/x cannot be used: [^\n]*ECONNREFUSED/;
    const postgresUrl = 'postgres://u:hush-hush@127.0.0.1:1/x';
    expect(await failureOf({ postgresUrl })).toMatch(line);
  });

  it('says once what a process says of its settings, and does not start it again', async () => {
    const lines: string[] = [];
    const line = await failureOf(
      {},
      { gatewayEnv: { RATE_LIMIT_FACTOR: 'many' }, onLine: (text) => lines.push(text) },
    );
    expect(line).toMatch(/^gateway: Wrong settings\. RATE_LIMIT_FACTOR: [^\n]*$/);
    expect(lines.join('\n')).not.toMatch(/RATE_LIMIT_FACTOR|started again/);
  }, 60_000);
});
