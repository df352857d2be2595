import { randomUUID } from 'node:crypto';
import { startKafka } from './kafka.mjs';
import { startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { startS3 } from './s3.mjs';

/**
 * All engines of the cluster profile. `address` is the field of an engine in the results of `startNativeEngines` and
 * `startContainerEngines`. `setting` is the variable that names the engine to a process, and with the prefix
 * `PULSO_TEST_` to the suites. Containers' libraries and what has to be built first are imported when they are needed; Jest
 * cannot link several modules that are imported at the same moment.
 */
export const ENGINES = [
  {
    name: 'kafka',
    setting: 'KAFKA_BROKERS',
    address: 'kafkaBrokers',
    startNative: startKafka,
    nativeAddress: ({ brokers }) => brokers,
    async startContainer() {
      const { KafkaContainer } = await import('@testcontainers/kafka');
      return (
        new KafkaContainer('confluentinc/cp-kafka:8.0.0')
          .withKraft()
          // Topics are created explicitly, so a missing one is an error.
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
    startNative: startRedis,
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
    startNative: startPostgres,
    nativeAddress: ({ url }) => url,
    async startContainer() {
      const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
      return new PostgreSqlContainer('postgres:17')
        .withCommand(['postgres', '-c', 'max_connections=400'])
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
  {
    // A server on which buckets can be made; the address holds the key and the secret.
    name: 'objects',
    setting: 'S3_URL',
    address: 's3Url',
    startNative: startS3,
    nativeAddress: ({ url }) => url,
    async startContainer() {
      const { GenericContainer, Wait } = await import('testcontainers');
      return new GenericContainer('minio/minio:RELEASE.2025-04-22T22-12-26Z')
        .withCommand(['server', '/data'])
        .withEnvironment({ MINIO_ROOT_USER: 'pulso', MINIO_ROOT_PASSWORD: 'pulso-pulso' })
        .withExposedPorts(9000)
        .withWaitStrategy(Wait.forHttp('/minio/health/ready', 9000))
        .start();
    },
    containerAddress: (minio) => `http://pulso:pulso-pulso@${minio.getHost()}:${minio.getMappedPort(9000)}`,
  },
];

/** The variable that gives the suites the address of an engine. */
export const testVariable = ({ setting }) => `PULSO_TEST_${setting}`;

/** Runs `start` for all engines in parallel. When one fails, stops the others and rejects with the first failure. */
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
