import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** See `addressOf`, which reads it. */
    address: string | null;
  }
}

const MAPPED_V4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
/** One subscriber of an IPv6 provider has at least a /64 to choose addresses from. */
const NETWORK_GROUPS = 4;

/** What a request's address is counted as, read once: Fastify goes through the proxies' headers each time. */
export function addressOf(request: FastifyRequest): string {
  return (request.address ??= addressKey(request.ip));
}

/** What an address is counted as: itself for IPv4, its /64 for IPv6. */
export function addressKey(address: string): string {
  const mapped = MAPPED_V4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
