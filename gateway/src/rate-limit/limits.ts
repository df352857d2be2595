export interface RateLimit {
  hits: number;
  windowMs: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Hits per window at RATE_LIMIT_FACTOR 1. Strict where passwords are tried and accounts are made; per account and hour
 * where others would have to read or moderate it (LIMIT-4).
 */
export const RATE_LIMITS = {
  'any-address': { hits: 1200, windowMs: MINUTE },
  'any-account': { hits: 600, windowMs: MINUTE },
  'writes-account': { hits: 120, windowMs: MINUTE },
  'posts-account': { hits: 60, windowMs: HOUR },
  'comments-account': { hits: 120, windowMs: HOUR },
  'likes-account': { hits: 600, windowMs: HOUR },
  'follows-account': { hits: 200, windowMs: HOUR },
  'reports-account': { hits: 20, windowMs: HOUR },
  'login-address': { hits: 30, windowMs: 5 * MINUTE },
  'login-account': { hits: 10, windowMs: 5 * MINUTE },
  'signup-address': { hits: 20, windowMs: 10 * MINUTE },
  // Generous: a whole school or gym may sit behind one address.
  'refresh-address': { hits: 3000, windowMs: 5 * MINUTE },
  'refresh-token': { hits: 120, windowMs: 5 * MINUTE },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof RATE_LIMITS;
