import type { Caller } from '@pulso/platform/context/request-context';
import type { FastifyRequest } from 'fastify';
import type { RefreshCookie } from '../auth/refresh-cookie.js';
import { type EndpointConfig, endpointOf, isRead } from '../http/endpoint.js';
import {
  byAddress,
  type Counted,
  RATE_LIMITS,
  type RateLimit,
  type RateLimitName,
} from '../rate-limit/limits.js';
import type { RateLimiter } from '../rate-limit/rate-limiter.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request has counted for, where that depends on its outcome. */
    taken: { name: RateLimitName; who: string }[] | null;
  }
}

/**
 * Applies the limits that a route names in `@Endpoint`, beside those of every request. The methods stay synchronous with
 * a store in memory, and throw (or reject with) too-many-requests.
 */
export class RequestLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly cookie: RefreshCookie,
  ) {}

  /** Limits per address, before the body is read. */
  arrive(request: FastifyRequest): void | Promise<void> {
    const endpoint = endpointOf(request);
    const names = namesOf(endpoint).filter((name) => RATE_LIMITS[name].key === byAddress);
    const general = endpoint?.addressLimit ?? 'any-address';
    return this.takeInTurn([general, ...names], request, this.counted(request, null));
  }

  /** All others, when caller and body are known. */
  admit(request: FastifyRequest, endpoint: EndpointConfig, caller: Caller | null): void | Promise<void> {
    const names = namesOf(endpoint).filter((name) => RATE_LIMITS[name].key !== byAddress);
    if (caller)
      names.unshift('any-account', ...(isRead(request.method) ? [] : (['writes-account'] as const)));
    if (names.length === 0) return;
    return this.takeInTurn(names, request, this.counted(request, caller));
  }

  /** Whether a request may wait in `admit`: for one of its limits' delays. */
  mayDelay(endpoint: EndpointConfig | undefined): boolean {
    return namesOf(endpoint).some((name) => (RATE_LIMITS[name] as RateLimit).delays);
  }

  /** Gives back what does not count for a request with this outcome; `refusal` is the code of its problem. */
  settle({ taken, refusal }: FastifyRequest): void | Promise<void> {
    if (!taken) return;
    const spared = taken.filter(({ name }) => !counts(RATE_LIMITS[name], refusal));
    const given = spared.map(({ name, who }) => this.limiter.giveBack(name, who));
    const later = given.filter((one) => one instanceof Promise);
    if (later.length > 0) return Promise.all(later).then(() => undefined);
  }

  /** One after the other: what one limit refuses does not count for the next. */
  private takeInTurn(
    names: readonly RateLimitName[],
    request: FastifyRequest,
    counted: Counted,
  ): void | Promise<void> {
    for (const [index, name] of names.entries()) {
      const taken = this.take(name, request, counted);
      if (taken instanceof Promise) {
        return taken.then(() => this.takeInTurn(names.slice(index + 1), request, counted));
      }
    }
  }

  private take(name: RateLimitName, request: FastifyRequest, counted: Counted): void | Promise<void> {
    const limit: RateLimit = RATE_LIMITS[name];
    const who = limit.key(counted);
    if (!who) return;
    const taken = this.limiter.take(name, who);
    if (!limit.counts && !limit.spares) return taken;
    // A hit that is refused is not given back: its window ends no later for it.
    const note = () => void (request.taken ??= []).push({ name, who });
    return taken instanceof Promise ? taken.then(note) : note();
  }

  private counted(request: FastifyRequest, caller: Caller | null): Counted {
    const { ip, body } = request;
    const { cookie } = this;
    return {
      ip,
      body,
      caller,
      get refreshToken() {
        return cookie.read(request);
      },
    };
  }
}

function namesOf(endpoint: EndpointConfig | undefined): RateLimitName[] {
  const { limit } = endpoint ?? {};
  if (limit === undefined) return [];
  return typeof limit === 'string' ? [limit] : [...limit];
}

function counts({ counts: counted, spares = [] }: RateLimit, refusal: FastifyRequest['refusal']): boolean {
  if (refusal === null) return counted === undefined;
  return counted ? counted.includes(refusal) : !spares.includes(refusal);
}
