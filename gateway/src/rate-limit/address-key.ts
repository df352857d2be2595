import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** See `addressOf`, which reads it. */
    address: Address | null;
  }
}

/** One of the names under which an address is counted. */
export interface AddressKey {
  key: string;
  /** Its limits are so many times those of one address. */
  times: number;
}

/** All names of an address, each of which must stay within its limits (LIMIT-14). The narrowest is the first. */
export type Address = readonly AddressKey[];

/** A subscriber of an IPv6 provider has at least a /64 to choose addresses from, and often a /56 or a /48. */
const NETWORKS = [
  { bits: 64, times: 1 },
  { bits: 56, times: 2 },
  { bits: 48, times: 4 },
] as const;
const GROUPS = 8;
const GROUP_BITS = 16;

/** What a request's address is counted as, read once: Fastify goes through the proxies' headers each time. */
export function addressOf(request: FastifyRequest): Address {
  return (request.address ??= addressKeys(request.ip));
}

/** What an address is counted as: itself for IPv4, and its networks for IPv6. Any other text is one name. */
export function addressKeys(text: string): Address {
  const address = withoutPort(text);
  if (!isIPv6(address)) return [{ key: address, times: 1 }];
  const groups = groupsOf(address);
  const mapped = mappedV4(groups);
  if (mapped !== undefined) return [{ key: mapped, times: 1 }];
  return NETWORKS.map(({ bits, times }) => ({ key: networkOf(groups, bits), times }));
}

/** Some proxies tell the port of their client, too. */
function withoutPort(text: string): string {
  const [, v4, v6] = /^(?:(\d+(?:\.\d+){3}):\d+|\[([^\]]*)\](?::\d+)?)$/.exec(text) ?? [];
  return v4 ?? v6 ?? text;
}

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address.replace(/%.*$/, '').split('::').map(numbersOf);
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
}

function numbersOf(part: string): number[] {
  if (part === '') return [];
  return part
    .split(':')
    .flatMap((group) => (group.includes('.') ? groupsOfV4(group) : [parseInt(group, 16)]));
}

function groupsOfV4(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** Undefined for all but `::ffff:0:0/96`. */
function mappedV4(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined;
}

function networkOf(groups: readonly number[], bits: number): string {
  const named = groups.slice(0, Math.ceil(bits / GROUP_BITS));
  const over = named.length * GROUP_BITS - bits;
  const last = named.length - 1;
  named[last] = (named[last]! >> over) << over;
  return `${named.map((group) => group.toString(16)).join(':')}::/${bits}`;
}
