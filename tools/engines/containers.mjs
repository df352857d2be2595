import { KafkaContainer } from '@testcontainers/kafka';
import { MongoDBContainer } from '@testcontainers/mongodb';
import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { RedisContainer } from '@testcontainers/redis';

const KAFKA_PORT = 9093;

/**
 * Kafka 4, Redis, PostgreSQL and MongoDB as containers, by Testcontainers; needs a Docker engine. Answers the same
 * addresses as `startNativeEngines`, and `stop`. Containers of a run that was killed are removed by Testcontainers.
 */
export async function startContainerEngines() {
  const started = await Promise.allSettled([
    new KafkaContainer('confluentinc/cp-kafka:8.0.0')
      .withKraft()
      // Topics are declared; one that is missing must be noticed.
      .withEnvironment({ KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false' })
      .start(),
    new RedisContainer('redis:7').start(),
    new PostgreSqlContainer('postgres:17').withCommand(['postgres', '-c', 'max_connections=200']).start(),
    new MongoDBContainer('mongo:8').start(),
  ]);
  const stop = async () => {
    await Promise.all(started.map(({ value }) => value?.stop()));
  };
  const failure = started.find(({ status }) => status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  const [kafka, redis, postgres, mongo] = started.map(({ value }) => value);
  return {
    kafkaBrokers: `${kafka.getHost()}:${kafka.getMappedPort(KAFKA_PORT)}`,
    redisUrl: redis.getConnectionUrl(),
    postgresUrl: postgres.getConnectionUri(),
    // A replica set that knows its member by a name from inside of the container.
    mongodbUrl: `${mongo.getConnectionString()}/?directConnection=true`,
    stop,
  };
}
