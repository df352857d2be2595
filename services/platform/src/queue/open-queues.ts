import type { ProcessContext } from '../process/run-process.js';
import { connectRedis } from '../redis/redis.js';
import { connectOrExplain } from '../process/engine-address.js';
import type { QueueBackend } from './queue-backend.js';
import { redisQueues } from './redis-queues.js';

/** The queues of a process on the cluster, until it stops. Rejects with StartError if Redis cannot be used. */
export async function openQueues(
  url: string,
  { logger, onStop }: Pick<ProcessContext<unknown>, 'logger' | 'onStop'>,
): Promise<QueueBackend> {
  const redis = await connectOrExplain('REDIS_URL', url, () => connectRedis(url, logger));
  redis.disconnect();
  const queues = redisQueues(url);
  onStop(() => queues.close());
  return queues;
}
