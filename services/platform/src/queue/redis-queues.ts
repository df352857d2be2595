import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { SILENCE_MS, TCP_KEEPALIVE_AFTER_MS } from '../redis/redis.js';
import type { QueueBackend } from './queue-backend.js';

/** How long a request to Redis may take that somebody waits for. */
const COMMAND_TIMEOUT_MS = 1_000;
const LONGEST_RECONNECT_DELAY_MS = 500;
/** Without an answer for so long a worker's connection is given up. Its blocking commands wait for work for 10 s at most. */
const WORKER_SILENCE_MS = 20_000;

/** BullMQ on Redis, whose `maxmemory-policy` must be `noeviction`. Each queue and worker has connections of its own. */
export function redisQueues(url: string): QueueBackend {
  const connections: Redis[] = [];
  const connect = (options: object) => {
    const redis = new Redis(url, {
      retryStrategy: (times) => Math.min(times * 50, LONGEST_RECONNECT_DELAY_MS),
      keepAlive: TCP_KEEPALIVE_AFTER_MS,
      ...options,
    });
    connections.push(redis);
    return redis;
  };
  const prefix = 'pulso';
  return {
    // Whoever adds to a queue must not wait for Redis to come back.
    openQueue: (name) =>
      new Queue(name, {
        connection: connect({
          enableOfflineQueue: false,
          maxRetriesPerRequest: 0,
          commandTimeout: COMMAND_TIMEOUT_MS,
          socketTimeout: SILENCE_MS,
        }),
        prefix,
      }),
    // BullMQ demands it of a worker's connection, whose commands block until there is work.
    openWorker: (name, process, options) =>
      new Worker(name, process, {
        ...{ autorun: false, prefix, ...options },
        connection: connect({ maxRetriesPerRequest: null, socketTimeout: WORKER_SILENCE_MS }),
      }),
    async close() {
      for (const connection of connections) connection.disconnect();
    },
  };
}
