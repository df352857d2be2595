import { isIPv4 } from 'node:net';
import { z } from 'zod';

const HOST_AND_PORT = /^([^\s:/,]+):(\d{1,5})$/;

/**
 * A setting with the address of a service: `host:port`, where every address of the name is a replica, or several IPv4
 * `address:port` separated by commas. Becomes a gRPC target; calls go to all replicas in turn.
 */
export const rpcUrl = z.string().transform((text, context) => {
  const hosts = text.split(',').map((part) => HOST_AND_PORT.exec(part.trim().replace(/^dns:\/\/\//, '')));
  if (hosts.some((host) => host === null || Number(host[2]) > 65_535)) {
    context.addIssue('must be host:port');
    return z.NEVER;
  }
  const named = hosts.map((host) => `${host![1]}:${Number(host![2])}`);
  if (named.length === 1) return `dns:///${named[0]}`;
  if (!hosts.every((host) => isIPv4(host![1]!))) {
    context.addIssue(
      'several addresses must be IPv4 addresses with ports; one name may have several addresses',
    );
    return z.NEVER;
  }
  return `ipv4:${named.join(',')}`;
});
