import { randomUUID } from 'node:crypto';
import type { Redis } from '@pulso/platform/redis/redis';
import { until } from '@pulso/platform/testing/until';
import { type KafkaNames, kafkaClient } from './cluster-events.js';
import { onRedis } from './cluster-stores.js';
import type { Trace } from './personal-traces.js';

const READ_MS = 120_000;

/** A text in an event, and when that was published, in ms since the epoch. */
export interface EventTrace extends Trace {
  at: number;
}

/** Every event of a cluster, dead letters as well, that has one of these texts. Case does not count. */
export async function tracesInTopics(needles: readonly string[], kafka: KafkaNames): Promise<EventTrace[]> {
  const lower = needles.map((needle) => needle.toLowerCase());
  const client = kafkaClient(kafka);
  const admin = client.admin();
  const consumer = client.consumer({ groupId: `${kafka.prefix}scanner-${randomUUID()}` });
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((name) => name.startsWith(kafka.prefix));
    /** What comes after the last event of each partition that has some. */
    const ends = new Map<string, number>();
    for (const topic of topics)
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
        if (Number(high) > Number(low)) ends.set(`${topic} ${partition}`, Number(high));
    const traces: EventTrace[] = [];
    await consumer.connect();
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({
      eachMessage: ({ topic, partition, message }) => {
        const text = [message.key, message.value].map((part) => part?.toString('utf8') ?? '').join(' ');
        for (const needle of lower)
          if (text.toLowerCase().includes(needle))
            traces.push({ needle, where: topic, at: Number(message.timestamp) });
        const place = `${topic} ${partition}`;
        if (Number(message.offset) + 1 >= (ends.get(place) ?? 0)) ends.delete(place);
        return Promise.resolve();
      },
    });
    const what = () => `the events of ${[...ends.keys()].join(', ')}`;
    await until(() => ends.size === 0, { what, limit: READ_MS });
    return traces;
  } finally {
    await consumer.disconnect();
    await admin.disconnect();
  }
}

/** Every key of Redis, its value included, that has one of these texts: jobs, signals that are kept, counters. */
export async function tracesInRedis(needles: readonly string[], url: string): Promise<Trace[]> {
  const lower = needles.map((needle) => needle.toLowerCase());
  return onRedis(url, async (redis) => {
    const traces: Trace[] = [];
    for (const key of await redis.keys('*')) {
      const text = `${key} ${JSON.stringify(await valueOf(redis, key))}`.toLowerCase();
      for (const needle of lower) if (text.includes(needle)) traces.push({ needle, where: `redis ${key}` });
    }
    return traces;
  });
}

/** Every line of processes' output that has one of these texts, named by its service and its message. */
export function tracesInLogs(needles: readonly string[], lines: readonly string[]): Trace[] {
  const lower = needles.map((needle) => needle.toLowerCase());
  return lines.flatMap((line) => {
    const text = line.toLowerCase();
    const where = `log of ${partOf(line, 'service')}: ${partOf(line, 'msg')}`;
    return lower.filter((needle) => text.includes(needle)).map((needle) => ({ needle, where }));
  });
}

/** What is no line of a logger, such as a stack, has no such parts. */
const partOf = (line: string, name: string) => new RegExp(`"${name}":"([^"]*)`).exec(line)?.[1] ?? '?';

/** Throws for a type that nobody has read here so far. */
async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  switch (type) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, '-1');
    case 'stream':
      return redis.xrange(key, '-', '+');
    case 'none':
      // It has expired meanwhile.
      return null;
    default:
      throw new Error(`${key} of Redis is a ${type}`);
  }
}
