import type { FastifyRequest } from 'fastify';
import type { RateLimitName } from '../rate-limit/limits.js';

/** What the hooks need to know of a route; `@Endpoint` puts it into Fastify's route config. */
export interface EndpointConfig {
  /** `public`: a token is optional, but a bad one is refused all the same. */
  access: 'public' | 'private';
  /** Stricter limit per address, beside the general one. */
  limit?: RateLimitName;
  /** The same answer for everyone: no `Vary: Authorization`. */
  shared?: boolean;
  /** A write without a body. */
  bodyless?: boolean;
}

/** Undefined for requests that no route of ours takes. */
export function endpointOf(request: FastifyRequest): EndpointConfig | undefined {
  return (request.routeOptions.config as { endpoint?: EndpointConfig }).endpoint;
}
