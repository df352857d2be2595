import type { Redis } from '@pulso/platform/redis/redis';
import type { Clock } from '@pulso/platform/time/clock';
import type { RateLimitStore, WindowState } from './rate-limit-store.js';

/** One round trip, and no counter can be left behind without an end. */
const HIT = `
local hits = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { hits, left }`;

/** A window that has ended stays ended: DECR would open one without an end. */
const TAKE_BACK = `
local hits = tonumber(redis.call('GET', KEYS[1]) or '0')
if hits > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

const PREFIX = 'pulso:rate-limit:';

/** What the scripts are as commands; ioredis sends their text once a connection, and their hash from then on. */
interface RateLimitCommands {
  rateLimitHit(key: string, windowMs: number): Promise<[hits: number, left: number]>;
  rateLimitTakeBack(key: string): Promise<number>;
}

/** Counters that every replica of the gateway shares. Rejects while Redis is away. */
export class RedisRateLimitStore implements RateLimitStore {
  private readonly redis: RateLimitCommands;

  constructor(
    redis: Redis,
    private readonly clock: Clock,
  ) {
    redis.defineCommand('rateLimitHit', { numberOfKeys: 1, lua: HIT });
    redis.defineCommand('rateLimitTakeBack', { numberOfKeys: 1, lua: TAKE_BACK });
    // The two commands are defined above, but the client's type does not have them.
    this.redis = redis as Redis & RateLimitCommands;
  }

  async hit(key: string, windowMs: number): Promise<WindowState> {
    const [hits, left] = await this.redis.rateLimitHit(PREFIX + key, windowMs);
    return { hits, endsAt: this.clock.now() + left };
  }

  async takeBack(key: string): Promise<void> {
    await this.redis.rateLimitTakeBack(PREFIX + key);
  }
}
