import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Below the ports that systems give to outgoing connections, one of which could take a port before its server listens. */
const FIRST = 12_000;
const LAST = 32_000;
const TRIES = 100;

/**
 * Different loopback ports that are currently free. No port is given twice in one run of suites (`suites/run-folder.mjs`): those
 * that run at once would both find it free, because it takes seconds until its server listens.
 *
 * @param {number} count
 */
export async function freePorts(count) {
  const probes = await Promise.all(Array.from({ length: count }, listenSomewhere));
  const ports = probes.map((probe) => /** @type {import('node:net').AddressInfo} */ (probe.address()).port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

async function listenSomewhere() {
  for (let tries = 1; ; tries++) {
    const probe = createServer();
    const port = randomInt(FIRST, LAST);
    try {
      take(port);
      await new Promise((resolve, reject) => {
        probe.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
      });
      return probe;
    } catch (error) {
      const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
      if (!['EADDRINUSE', 'EEXIST'].includes(code) || tries === TRIES) throw error;
    }
  }
}

/** Throws EEXIST when the port has been taken in this run. @param {number} port */
function take(port) {
  const run = process.env.PULSO_RUN_FOLDER;
  if (!run) return;
  const folder = join(run, 'ports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${port}`), '', { flag: 'wx' });
}
