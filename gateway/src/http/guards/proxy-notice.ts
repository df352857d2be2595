import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';

/** Headers in which a proxy names its client. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip'];
const NOTICE_EVERY_MS = 60 * 60_000;

/** The proxies of an installation are on its machine or in its own networks. Strangers may send such headers, too. */
const PRIVATE_NETWORKS = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv6');

const CONSEQUENCE = 'all visitors share the limits of its one address';

/** Says in the log that a proxy is there while `TRUSTED_PROXIES` is 0. */
export class ProxyNotice {
  private silentUntil = 0;

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock,
  ) {}

  /** The gateway speaks no TLS itself. */
  begin(publicUrl: string): void {
    if (!publicUrl.startsWith('https:')) return;
    this.logger.warn(
      `TRUSTED_PROXIES is 0, but PUBLIC_URL is https, which takes a proxy in front: ${CONSEQUENCE}. Set it to the number of proxies`,
    );
  }

  /** To be called for each request; logs once an hour. */
  look({ headers, socket }: IncomingMessage): void {
    if (!FORWARDING.some((name) => headers[name] !== undefined)) return;
    const now = this.clock.now();
    if (now < this.silentUntil || !isNear(socket.remoteAddress)) return;
    this.silentUntil = now + NOTICE_EVERY_MS;
    this.logger.warn(
      `TRUSTED_PROXIES is 0, but requests come through a proxy, which sends forwarding headers: ${CONSEQUENCE}. Set it to the number of proxies`,
    );
  }
}

function isNear(address: string | undefined): boolean {
  return address !== undefined && PRIVATE_NETWORKS.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
