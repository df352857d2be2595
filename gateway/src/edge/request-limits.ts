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
import { type Address, addressOf } from '../rate-limit/address-key.js';
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
    return this.takeAll(limitsOf(endpointOf(request)).arriving, request, this.counted(request, null));
  }

  /** All others, when caller and body are known. */
  admit(request: FastifyRequest, endpoint: EndpointConfig, caller: Caller | null): void | Promise<void> {
    const { others, reading, writing } = limitsOf(endpoint);
    const names = !caller ? others : isRead(request.method) ? reading : writing;
    if (names.length === 0) return;
    return this.takeAll(names, request, this.counted(request, caller));
  }

  /** Whether a request may wait in `admit`: for one of its limits' delays. */
  mayDelay(endpoint: EndpointConfig | undefined): boolean {
    return limitsOf(endpoint).mayDelay;
  }

  /** Gives back what does not count for a request with this outcome; `refusal` is the code of its problem. */
  settle({ taken, refusal }: FastifyRequest): void | Promise<void> {
    if (!taken) return;
    const spared = taken.filter(({ name }) => !counts(RATE_LIMITS[name], refusal));
    const given = spared.map(({ name, who }) => this.limiter.giveBack(name, who));
    const later = given.filter((one) => one instanceof Promise);
    if (later.length > 0) return Promise.all(later).then(() => undefined);
  }

  /** What one limit refuses does not count for the next, nor what a network refuses for a larger one. */
  private takeAll(
    names: readonly RateLimitName[],
    request: FastifyRequest,
    counted: Counted,
  ): void | Promise<void> {
    return inTurn(names, (name) => {
      const who = (RATE_LIMITS[name] as RateLimit).key(counted);
      if (!who) return;
      if (typeof who === 'string') return this.take(name, who, 1, request);
      return inTurn(who, ({ key, times }) => this.take(name, key, times, request));
    });
  }

  private take(
    name: RateLimitName,
    who: string,
    times: number,
    request: FastifyRequest,
  ): void | Promise<void> {
    const limit: RateLimit = RATE_LIMITS[name];
    const taken = this.limiter.take(name, who, times);
    if (!limit.counts && !limit.spares) return taken;
    // A hit that is refused is not given back: its window ends no later for it.
    const note = () => void (request.taken ??= []).push({ name, who });
    return taken instanceof Promise ? taken.then(note) : note();
  }

  private counted(request: FastifyRequest, caller: Caller | null): Counted {
    return new CountedRequest(request, caller, this.cookie);
  }
}

/** One after the other; synchronous as long as `take` is. */
function inTurn<T>(
  values: readonly T[],
  take: (value: T) => void | Promise<void>,
  from = 0,
): void | Promise<void> {
  for (let index = from; index < values.length; index += 1) {
    const taken = take(values[index]!);
    if (taken instanceof Promise) return taken.then(() => inTurn(values, take, index + 1));
  }
}

/** Reads what a limit asks for, and nothing else. */
class CountedRequest implements Counted {
  constructor(
    private readonly request: FastifyRequest,
    readonly caller: Caller | null,
    private readonly cookie: RefreshCookie,
  ) {}

  get address(): Address {
    return addressOf(this.request);
  }

  get body(): unknown {
    return this.request.body;
  }

  get refreshToken(): string | undefined {
    return this.cookie.read(this.request);
  }
}

/** The limits of a route, in their order. */
interface Limits {
  /** Of the address, before the body is read. */
  arriving: readonly RateLimitName[];
  /** All others, of visitors, and of callers who read or write. */
  others: readonly RateLimitName[];
  reading: readonly RateLimitName[];
  writing: readonly RateLimitName[];
  mayDelay: boolean;
}

const UNROUTED = readLimits(undefined);
const known = new WeakMap<EndpointConfig, Limits>();

function limitsOf(endpoint: EndpointConfig | undefined): Limits {
  if (!endpoint) return UNROUTED;
  let limits = known.get(endpoint);
  if (!limits) known.set(endpoint, (limits = readLimits(endpoint)));
  return limits;
}

function readLimits({ limit = [], addressLimit = 'any-address' }: Partial<EndpointConfig> = {}): Limits {
  const names = typeof limit === 'string' ? [limit] : limit;
  const others = names.filter((name) => RATE_LIMITS[name].key !== byAddress);
  return {
    arriving: [addressLimit, ...names.filter((name) => RATE_LIMITS[name].key === byAddress)],
    others,
    reading: ['any-account', ...others],
    writing: ['any-account', 'writes-account', ...others],
    mayDelay: names.some((name) => (RATE_LIMITS[name] as RateLimit).delays),
  };
}

function counts({ counts: counted, spares = [] }: RateLimit, refusal: FastifyRequest['refusal']): boolean {
  if (refusal === null) return counted === undefined;
  return counted ? counted.includes(refusal) : !spares.includes(refusal);
}
