import { randomUUID } from 'node:crypto';
import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { newSecrets } from '@pulso/embedded/launcher/data-directory';
import {
  type Cluster,
  type ClusterOptions,
  commandLineOf,
  runCommand,
  startCluster,
} from '../../tools/cluster/cluster.mjs';
import { drainCluster, type KafkaNames, removeTopics, watchEvents } from './cluster-events.js';
import { aRedisDatabase, dropStores, objectsOf } from './cluster-stores.js';
import { type Ended, runProgram } from './run-process.js';
import { DRAIN_MS, LIMITS, type PulsoUnderTest, engine } from './test-pulso.js';

export interface ClusterUnderTest extends PulsoUnderTest {
  /** The URLs of all gateways; `url` is the first. */
  urls: readonly string[];
  processes: Cluster['processes'];
  kafka: KafkaNames;
  redisUrl: string;
  /** Runs a command of a service's command line to its end, whether it succeeds or fails. */
  tryToOperate(service: ServiceName, ...words: string[]): Promise<Ended>;
}

interface ClusterPulsoOptions extends Partial<
  Pick<ClusterOptions, 'replicas' | 'env' | 'tracesTo' | 'logLevel' | 'onLine'>
> {
  /** Those that are not given are the suites' own. */
  engines?: Partial<ClusterOptions['engines']>;
}

/**
 * The cluster profile: every service, worker and gateway as separate processes, with names of their own on the engines, so that
 * several clusters can run at once.
 */
export async function startClusterPulso(options: ClusterPulsoOptions = {}): Promise<ClusterUnderTest> {
  const prefix = `journey_${randomUUID().slice(0, 8)}`;
  const topicPrefix = `${prefix}.`;
  const given = options.engines ?? {};
  const engines = {
    kafkaBrokers: given.kafkaBrokers ?? engine('PULSO_TEST_KAFKA_BROKERS'),
    redisUrl: await aRedisDatabase(given.redisUrl ?? engine('PULSO_TEST_REDIS_URL')),
    postgresUrl: given.postgresUrl ?? engine('PULSO_TEST_POSTGRES_URL'),
    mongodbUrl: given.mongodbUrl ?? engine('PULSO_TEST_MONGODB_URL'),
    s3Url: given.s3Url ?? engine('PULSO_TEST_S3_URL'),
  };
  const secrets = await newSecrets();
  const cluster = await startCluster({
    engines,
    secrets,
    prefix,
    topicPrefix,
    replicas: options.replicas,
    tracesTo: options.tracesTo,
    env: { RATE_LIMIT_FACTOR: '0', ...LIMITS, ...options.env },
    logLevel: options.logLevel ?? 'warn',
    onLine: options.onLine,
  });
  const { processes, urls, databases } = cluster;
  const services = SERVICE_NAMES.flatMap((name) => processes[name]);
  const operations = services.map(({ operationsUrl }) => operationsUrl);
  const workers = [...processes['messaging-mail'], ...processes['media-video']].map(
    ({ operationsUrl }) => operationsUrl,
  );
  const kafka = { brokers: engines.kafkaBrokers, prefix: topicPrefix };
  const stop = async () => {
    try {
      await cluster.stop();
    } finally {
      await Promise.all([
        dropStores(engines.postgresUrl, databases, cluster.settings.media.MEDIA_OBJECTS_URL!),
        removeTopics(kafka),
      ]);
    }
  };
  const bus = await watchEvents(kafka, operations).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url: urls[0]!,
    urls,
    operationsUrls: [
      ...operations,
      ...workers,
      ...processes.gateway.map(({ operationsUrl }) => operationsUrl),
    ],
    processes,
    kafka,
    redisUrl: engines.redisUrl,
    operate: (service, ...words) => runCommand(commandLineOf(service), words, cluster.settings[service]),
    tryToOperate: (service, ...words) => runProgram(commandLineOf(service), words, cluster.settings[service]),
    secrets,
    publish: (events) => bus.publish(events),
    drainEvents: (timeoutMs = DRAIN_MS) => drainCluster(bus, operations, timeoutMs),
    async without(service, during) {
      await Promise.all(processes[service].map((member) => member.stop()));
      try {
        await during();
      } finally {
        await Promise.all(processes[service].map((member) => member.start()));
      }
    },
    async stop(service) {
      await Promise.all(processes[service].map((member) => member.stop()));
    },
    async republish(service, ...entities) {
      await runCommand(commandLineOf(service), ['republish', ...entities], cluster.settings[service]);
    },
    databases,
    objects: () => objectsOf(cluster.settings.media.MEDIA_OBJECTS_URL!),
    async close() {
      try {
        await bus.stop();
      } finally {
        await stop();
      }
    },
  };
}
