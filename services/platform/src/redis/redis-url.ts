import { z } from 'zod';
import { secret } from '../process/secret.js';

/** The setting REDIS_URL of the processes that need Redis. */
export const redisUrl = secret(
  z
    .url({ protocol: /^rediss?$/, error: 'must be a redis or rediss URL' })
    .regex(/^[^/]*\/\/[^/?#]*(?:\/\d*)?(?:[?#]|$)/, 'must name its database by a number'),
);

/** Of a process that sends signals or has queues. */
export const redisSettings = { REDIS_URL: redisUrl };
