import { Redis } from 'ioredis';
import type { Logger } from '../logging/logger.js';

export type { Redis } from 'ioredis';

/** Callers do not wait longer for Redis: they continue without it. */
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 3_000;
/** Without an answer for so long a connection is given up: a host that has died closes none. */
export const SILENCE_MS = 2_000;
/** Before the first question of TCP whether the other host is there; asked of a connection on which nothing is under way. */
export const TCP_KEEPALIVE_AFTER_MS = 10_000;
const LONGEST_RECONNECT_DELAY_MS = 500;

/**
 * A connected client. While Redis is unreachable commands fail at once; no command is queued or sent twice. The client
 * reconnects by itself, and logs one line when the connection is lost and one when it is back. Rejects if Redis cannot be
 * reached now.
 */
export async function connectRedis(
  url: string,
  logger: Logger,
  commandTimeoutMs = COMMAND_TIMEOUT_MS,
): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: commandTimeoutMs,
    socketTimeout: SILENCE_MS,
    keepAlive: TCP_KEEPALIVE_AFTER_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 50, LONGEST_RECONNECT_DELAY_MS),
  });
  let failure: Error | undefined;
  const remember = (error: Error) => (failure = error);
  redis.on('error', remember);
  try {
    await redis.connect();
    // Without this, a missing database is only an event of the client, and the next commands use database 0.
    if (redis.options.db) await redis.select(redis.options.db);
  } catch (error) {
    redis.disconnect();
    // The promise's error says only that the connection was closed.
    throw failure ?? error;
  }
  redis.off('error', remember);
  logOutages(redis, logger);
  return redis;
}

function logOutages(redis: Redis, logger: Logger): void {
  let away = false;
  let lastError: Error | undefined;
  redis.on('error', (error: Error) => (lastError = error));
  redis.on('reconnecting', () => {
    if (!away) logger.warn({ err: lastError }, 'Redis is away');
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info('Redis is back');
    away = false;
    lastError = undefined;
  });
}
