import { randomUUID } from 'node:crypto';

/**
 * Every engine of the cluster profile. `address` is its field in the results of `startNativeEngines`
 * and `startContainerEngines`; `setting` is the variable that names it to a process, and with `PULSO_TEST_` before it
 * to the suites. Each start function imports its libraries itself, because few callers need all of them.
 */
export const ENGINES = [
  {
    name: 'kafka',
    setting: 'KAFKA_BROKERS',
    address: 'kafkaBrokers',
    async startNative(directory) {
      const { startKafka } = await import('./kafka.mjs');
      return startKafka(directory);
    },
    nativeAddress: ({ brokers }) => brokers,
    async startContainer() {
      const { KafkaContainer } = await import('@testcontainers/kafka');
      return (
        new KafkaContainer('confluentinc/cp-kafka:8.0.0')
          .withKraft()
          // Topics are declared, so a missing one is an error.
          .withEnvironment({ KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false' })
          .start()
      );
    },
    containerAddress: (kafka) => `${kafka.getHost()}:${kafka.getMappedPort(9093)}`,
  },
  {
    name: 'redis',
    setting: 'REDIS_URL',
    address: 'redisUrl',
    async startNative(directory) {
      const { startRedis } = await import('./redis.mjs');
      return startRedis(directory);
    },
    nativeAddress: ({ url }) => url,
    async startContainer() {
      const { RedisContainer } = await import('@testcontainers/redis');
      return new RedisContainer('redis:7').start();
    },
    containerAddress: (redis) => redis.getConnectionUrl(),
  },
  {
    name: 'postgres',
    setting: 'POSTGRES_URL',
    address: 'postgresUrl',
    async startNative(directory) {
      const { startPostgres } = await import('./postgres.mjs');
      return startPostgres(directory);
    },
    nativeAddress: ({ url }) => url,
    async startContainer() {
      const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
      return new PostgreSqlContainer('postgres:17')
        .withCommand(['postgres', '-c', 'max_connections=200'])
        .start();
    },
    containerAddress: (postgres) => postgres.getConnectionUri(),
  },
  {
    name: 'documents',
    setting: 'MONGODB_URL',
    address: 'mongodbUrl',
    async startNative(directory) {
      const { startDocumentStore } = await import('../../deploy/embedded/dist/document-store/supervisor.js');
      return startDocumentStore({ directory, password: randomUUID() });
    },
    nativeAddress: ({ url }) => url,
    async startContainer() {
      const { MongoDBContainer } = await import('@testcontainers/mongodb');
      return new MongoDBContainer('mongo:8').start();
    },
    // The replica set names its member by the container's own host name, which is unknown outside.
    containerAddress: (mongo) => `${mongo.getConnectionString()}/?directConnection=true`,
  },
];

/** The variable that names an engine to the suites. */
export const testVariable = ({ setting }) => `PULSO_TEST_${setting}`;

/** Starts one thing for each engine side by side: all of them or, after stopping the others, the first failure. */
export async function startEach(start) {
  const started = await Promise.allSettled(ENGINES.map(start));
  const stop = async () => {
    await Promise.all(started.map(({ value }) => value?.stop()));
  };
  const failure = started.find(({ status }) => status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  return { started: started.map(({ value }) => value), stop };
}
