import type { FastifyRequest } from 'fastify';
import type { RateLimitName } from '../rate-limit/limits.js';

const KIB = 1024;

/**
 * Bodies over the limit of their route are refused (HTTP-7, HTTP-8). A post with ten pictures and their texts takes up to
 * 301,200 bytes, with every character escaped.
 */
export const BODY_BYTES = { usual: 64 * KIB, post: 1024 * KIB } as const;

/** Beyond this we hang up on a client that goes on sending a body that is refused; below, it gets to read its answer. */
export const MAX_DRAINED_BYTES = 32 * 1024 * KIB;

/** What the hooks need to know of a route; `@Endpoint` puts it into Fastify's route config. */
export interface EndpointConfig {
  /**
   * `json` unless given. The handler of `events` returns frames of server-sent events: see `EventStreams`. That of `stream`
   * takes or gives bytes as they come: see `MediaBytesClient`.
   */
  kind?: 'json' | 'events' | 'stream';
  /** `public`: a token is optional, but a bad one is refused all the same. */
  access: 'public' | 'private';
  /** Stricter limits beside the general ones, applied in their order. */
  limit?: RateLimitName | readonly RateLimitName[];
  /** In place of the limit of all requests of an address. */
  addressLimit?: RateLimitName;
  /** The same answer for everyone: no `Vary: Authorization`. */
  shared?: boolean;
  /** A write without a body; with `ignored` the body that a client sends is not read, otherwise refused. */
  bodyless?: boolean | 'ignored';
  /** The handler gets the body's bytes as they came, of whatever type. */
  rawBody?: boolean;
  /** Largest body, in bytes: `BODY_BYTES.usual` unless given. */
  bodyBytes?: number;
  /** Of a `stream` that takes a body: its media type, a form unless given, the most bytes of it, and the text for more. */
  upload?: { type?: string; maxBytes: number; tooLarge: string };
}

/** The route that takes a request. */
export interface Routed {
  method: string;
  /** The pattern of its path; undefined where no route takes the request. */
  url: string | undefined;
  /** Method and pattern: what the route is counted by. */
  key: string;
  endpoint: EndpointConfig | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** See `routedOf`, which reads it. */
    routed: Routed | null;
  }
}

/** By the config of their route, which all its requests share. */
const known = new WeakMap<object, Routed>();

/**
 * The route of a request, read once: Fastify makes an object of twelve fields each time that it is asked, and the hooks ask
 * it a dozen times.
 */
export function routedOf(request: FastifyRequest): Routed {
  return (request.routed ??= readRouted(request));
}

/** Undefined for requests that no route of ours takes. */
export function endpointOf(request: FastifyRequest): EndpointConfig | undefined {
  return routedOf(request).endpoint;
}

/** Whether no route takes a request. */
export function isUnrouted(request: FastifyRequest): boolean {
  return routedOf(request).url === undefined;
}

function readRouted({ method, params, routeOptions: { config } }: FastifyRequest): Routed {
  if (hasEmptyPart(params)) return { method, url: undefined, key: `${method} `, endpoint: undefined };
  const { endpoint, url } = config as { endpoint?: EndpointConfig; url?: string };
  const routed = known.get(config);
  // A route may have several methods, and what no route takes has one config.
  if (routed?.method === method) return routed;
  const read = { method, url, key: `${method} ${url ?? ''}`, endpoint };
  known.set(config, read);
  return read;
}

/** The router takes an empty part of a path for an id; `*` takes all that is left of it, and that may be nothing. */
function hasEmptyPart(params: unknown): boolean {
  const parts = params as Readonly<Record<string, string>>;
  for (const name in parts) if (parts[name] === '' && name !== '*') return true;
  return false;
}

/** Methods that change nothing (RFC 9110, safe). */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
