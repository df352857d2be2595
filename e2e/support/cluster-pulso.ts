import { randomUUID } from 'node:crypto';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import { type Cluster, type ClusterOptions, startCluster, withServer } from '../../tools/cluster/cluster.mjs';
import { drainCluster, watchEvents } from './cluster-events.js';
import { type Ended, runProgram } from './run-process.js';
import { type PulsoUnderTest, engine } from './test-pulso.js';

export interface ClusterUnderTest extends PulsoUnderTest {
  /** Every gateway; `url` is the first. */
  urls: readonly string[];
  processes: Cluster['processes'];
  /** Runs a command of a service's operators to its end. */
  operate(service: 'identity' | 'social' | 'posts', ...args: string[]): Promise<Ended>;
}

/** The cluster profile: every service and the gateway as a process of its own, migrated and started by their commands. */
export async function startClusterPulso(
  options: Partial<Pick<ClusterOptions, 'engines' | 'replicas' | 'gatewayEnv' | 'tracesTo'>> = {},
): Promise<ClusterUnderTest> {
  const prefix = `journey_${randomUUID().slice(0, 8)}`;
  const topicPrefix = `${prefix}.`;
  const engines = options.engines ?? {
    kafkaBrokers: engine('PULSO_TEST_KAFKA_BROKERS'),
    redisUrl: engine('PULSO_TEST_REDIS_URL'),
    postgresUrl: engine('PULSO_TEST_POSTGRES_URL'),
    mongodbUrl: engine('PULSO_TEST_MONGODB_URL'),
  };
  const secrets = await newSecrets();
  const cluster = await startCluster({
    engines,
    secrets,
    prefix,
    topicPrefix,
    replicas: options.replicas,
    tracesTo: options.tracesTo,
    gatewayEnv: { RATE_LIMIT_FACTOR: '0', ...options.gatewayEnv },
    logLevel: 'warn',
  });
  const { processes, urls, databases } = cluster;
  const services = [...processes.identity, ...processes.social, ...processes.posts];
  const operations = services.map(({ operationsUrl }) => operationsUrl);
  const kafka = { brokers: engines.kafkaBrokers, prefix: topicPrefix };
  const bus = await watchEvents(kafka, operations).catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  return {
    url: urls[0]!,
    urls,
    processes,
    operate: (service, ...args) =>
      runProgram(`services/${service}/dist/cli/main.js`, args, cluster.settings[service]),
    secrets,
    publish: (events) => bus.publish(events),
    drainEvents: (timeoutMs) => drainCluster(bus, operations, timeoutMs),
    async withoutSocial(during) {
      await Promise.all(processes.social.map((member) => member.stop()));
      try {
        await during();
      } finally {
        await Promise.all(processes.social.map((member) => member.start()));
      }
    },
    async stopSocial() {
      await Promise.all(processes.social.map((member) => member.stop()));
    },
    republish: (service, noun) => cluster.run(service, ['republish', noun]),
    databases,
    async close() {
      await bus.stop();
      await cluster.stop();
      await withServer(engines.postgresUrl, async (client) => {
        for (const url of [databases.identity, databases.social]) {
          await client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
        }
      });
    },
  };
}
