import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** What to listen on for every address of this machine: `::` takes IPv4 as well, and exists only where IPv6 does. */
export function allAddresses(): '::' | '0.0.0.0' {
  const addresses = Object.values(networkInterfaces()).flat();
  return addresses.some((address) => address?.family === 'IPv6') ? '::' : '0.0.0.0';
}

/** `host:port` as URLs write it, with an IPv6 address in brackets. */
export function hostAndPort(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
