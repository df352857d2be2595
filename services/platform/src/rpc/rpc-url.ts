import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { hostAndPort } from '../process/all-addresses.js';

const HOST_AND_PORT = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/,[\]]+)):(\d{1,5})$/;

export interface Address {
  host: string;
  port: number;
}

/**
 * A setting with the address of a service: `host:port`, where every address of the name is a replica, or several
 * `address:port` separated by commas, all of IPv4 or all of IPv6 (`[address]:port`). Calls go to all replicas in turn.
 */
export const rpcUrl = z.string().transform((text, context) => {
  const addresses = text.split(',').map((part) => addressOf(part.trim().replace(/^dns:\/\/\//, '')));
  if (!addresses.every((address) => address !== undefined)) {
    context.addIssue('must be host:port');
    return z.NEVER;
  }
  const named = addresses.map(({ host, port }) => hostAndPort(host, port));
  const isOneKind =
    addresses.every(({ host }) => isIPv4(host)) || addresses.every(({ host }) => isIPv6(host));
  if (named.length === 1 || isOneKind) return named.join(',');
  context.addIssue(
    'several addresses must be all IPv4 or all IPv6 addresses with ports; one name may have several addresses',
  );
  return z.NEVER;
});

/** Of `host:port` or `[address]:port`; undefined if it is neither. */
export function addressOf(text: string): Address | undefined {
  const [, bracketed, name = '', digits] = HOST_AND_PORT.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return undefined;
  if (bracketed === undefined) return { host: name, port };
  return isIPv6(bracketed) ? { host: bracketed, port } : undefined;
}
