import { createPostgresBackend, Queue, runMigrations, Worker, withBackend, type Processor } from 'bullmq';
import type { WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { SILENCE_MS, TCP_KEEPALIVE_AFTER_MS } from '../redis/redis.js';

/** How long a request to Redis may take that somebody waits for. */
const COMMAND_TIMEOUT_MS = 1_000;
const LONGEST_RECONNECT_DELAY_MS = 500;
/** Without an answer for so long a worker's connection is given up. Its blocking commands wait for work for 10 s at most. */
const WORKER_SILENCE_MS = 20_000;

/** The parts of BullMQ's queue that we use; they are the same on both stores. */
export interface BullQueue {
  addBulk(jobs: { name: string; data: unknown; opts: object }[]): Promise<unknown>;
  getJobCounts(...states: string[]): Promise<Record<string, number>>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** The parts of BullMQ's worker that we use. */
export interface BullWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: { id?: string } | undefined, error: Error) => void): unknown;
  run(): Promise<void>;
  close(): Promise<void>;
}

export type BullWorkerOptions = Omit<WorkerOptions, 'connection' | 'prefix'>;

/** The store of BullMQ's queues. */
export interface QueueBackend {
  openQueue(name: string): BullQueue;
  /** A worker that has connections of its own. It starts with `run`. */
  openWorker(name: string, processor: Processor, options: BullWorkerOptions): BullWorker;
  /** Closes the connections; the queues and workers are closed before. */
  close(): Promise<void>;
}

/** BullMQ on Redis, whose `maxmemory-policy` must be `noeviction`. */
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
    openWorker: (name, processor, options) =>
      new Worker(name, processor, {
        ...{ autorun: false, prefix, ...options },
        connection: connect({ maxRetriesPerRequest: null, socketTimeout: WORKER_SILENCE_MS }),
      }),
    async close() {
      for (const connection of connections) connection.disconnect();
    },
  };
}

/** The database schema that BullMQ expects on a connection that it has not opened itself. */
export const QUEUE_SCHEMA = 'bullmq';

/**
 * BullMQ on PostgreSQL, for the embedded profile. The connections of `pool` have `QUEUE_SCHEMA` as search path, and each
 * worker keeps one of them. Call `migrateQueues` before.
 */
export function postgresQueues(pool: pg.Pool): QueueBackend {
  const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(createPostgresBackend);
  return {
    openQueue: (name) => new PostgresQueue(name, { connection: pool }),
    openWorker: (name, processor, options) =>
      new PostgresWorker(name, processor, { autorun: false, ...options, connection: pool }),
    close: () => Promise.resolve(),
  };
}

/** Creates or updates BullMQ's tables in the database of `pool`; safe to repeat. */
export async function migrateQueues(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, QUEUE_SCHEMA);
  } finally {
    client.release();
  }
}
