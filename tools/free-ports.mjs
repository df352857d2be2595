import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections, one of which could take a port before its server listens. */
const FIRST = 12_000;
const LAST = 32_000;
const TRIES = 100;

/** Different loopback ports that are currently free. @param {number} count */
export async function freePorts(count) {
  const probes = await Promise.all(Array.from({ length: count }, listenSomewhere));
  const ports = probes.map((probe) => /** @type {import('node:net').AddressInfo} */ (probe.address()).port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

async function listenSomewhere() {
  for (let tries = 1; ; tries++) {
    const probe = createServer();
    try {
      await new Promise((resolve, reject) => {
        probe.once('error', reject).listen(randomInt(FIRST, LAST), '127.0.0.1', () => resolve(undefined));
      });
      return probe;
    } catch (error) {
      const isTaken = /** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE';
      if (!isTaken || tries === TRIES) throw error;
    }
  }
}
