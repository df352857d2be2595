import { redisQueues } from '@pulso/platform/queue/redis-queues';
import type { Redis } from '@pulso/platform/redis/redis';
import { ApiClient } from './api-client.js';
import { type KafkaNames, kafkaClient } from './cluster-events.js';
import type { ClusterUnderTest } from './cluster-pulso.js';
import { onRedis } from './cluster-stores.js';
import { tracesInLogs } from './cluster-traces.js';
import type { Trace } from './personal-traces.js';
import { waitFor } from './wait-for.js';

/** Case does not count. */
const written = (needle: string) => needle.toUpperCase();

/** One of each type that a search of Redis has to read. */
const TYPES: Record<string, (redis: Redis, key: string, text: string) => Promise<unknown>> = {
  string: (redis, key, text) => redis.set(key, text),
  hash: (redis, key, text) => redis.hset(key, 'field', text),
  list: (redis, key, text) => redis.rpush(key, 'first', text),
  set: (redis, key, text) => redis.sadd(key, 'first', text),
  zset: (redis, key, text) => redis.zadd(key, 1, 'first', 2, text),
  stream: (redis, key, text) => redis.xadd(key, '*', 'field', text),
};

/**
 * Puts a text of its own into each place that is searched beside the stores: the key and the value of an event, each type of Redis and
 * the name of a key, a job, and a log. Nothing of the product reads them but the last, which is the id of a request.
 *
 * @returns where each of them must be found
 */
export async function plantTraces(
  { url, kafka, redisUrl }: Pick<ClusterUnderTest, 'url' | 'kafka' | 'redisUrl'>,
  lines: readonly string[],
): Promise<Trace[]> {
  const planted = [inTopic(kafka), inRedis(redisUrl), inJob(redisUrl), inLog(url, lines)];
  return (await Promise.all(planted)).flat();
}

async function inTopic(kafka: KafkaNames): Promise<Trace[]> {
  const topic = `${kafka.prefix}planted`;
  const [key, value] = ['needle-as-a-key', 'needle-as-a-value'];
  const client = kafkaClient(kafka);
  const [admin, producer] = [client.admin(), client.producer()];
  try {
    await Promise.all([admin.connect(), producer.connect()]);
    await admin.createTopics({ topics: [{ topic, numPartitions: 2 }], waitForLeaders: true });
    await producer.send({ topic, messages: [{ key: written(key), value: written(value) }] });
  } finally {
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  }
  return [key, value].map((needle) => ({ needle, where: topic }));
}

async function inRedis(redisUrl: string): Promise<Trace[]> {
  const name = 'needle-as-a-name';
  await onRedis(redisUrl, async (redis) => {
    await redis.set(written(name), '1');
    for (const [type, put] of Object.entries(TYPES))
      await put(redis, `planted:${type}`, written(`needle-in-a-${type}`));
  });
  return [
    { needle: name, where: `redis ${written(name)}` },
    ...Object.keys(TYPES).map((type) => ({
      needle: `needle-in-a-${type}`,
      where: `redis planted:${type}`,
    })),
  ];
}

/** In a queue that nobody works off. */
async function inJob(redisUrl: string): Promise<Trace[]> {
  const needle = 'needle-in-a-job';
  const queues = redisQueues(redisUrl);
  const queue = queues.openQueue('planted');
  try {
    const opts = { jobId: 'a-row', removeOnComplete: true, removeOnFail: true } as const;
    await queue.addBulk([{ name: 'work', data: { text: written(needle) }, opts }]);
  } finally {
    await queue.close();
    await queues.close();
  }
  return [{ needle, where: 'redis pulso:planted:a-row' }];
}

async function inLog(url: string, lines: readonly string[]): Promise<Trace[]> {
  const needle = 'needle-in-a-log';
  const { status } = await new ApiClient(url).get('/api/config', { 'x-request-id': written(needle) });
  if (status !== 200) throw new Error(`/api/config: ${status}`);
  // A line comes through a pipe, after the answer.
  await waitFor(
    () => tracesInLogs([needle], lines),
    (found) => found.length > 0,
    { what: 'the id of a request in a log' },
  );
  return [{ needle, where: 'log of gateway: answered' }];
}
