import type { ProcessContext } from '../process/run-process.js';
import { connectRedis } from '../redis/redis.js';
import { connectOrExplain } from '../process/engine-address.js';
import { RedisSignals } from './redis-signals.js';
import type { Signals } from './signals.js';

/** The signals of a process on the cluster, until it stops. Rejects with StartError if Redis cannot be used. */
export async function openSignals(
  url: string,
  { logger, registry, onStop }: Pick<ProcessContext<unknown>, 'logger' | 'registry' | 'onStop'>,
): Promise<Signals> {
  const redis = await connectOrExplain('REDIS_URL', url, () => connectRedis(url, logger));
  onStop(() => redis.disconnect());
  const signals = new RedisSignals({ redis, logger, registry });
  onStop(() => signals.close());
  return signals;
}
