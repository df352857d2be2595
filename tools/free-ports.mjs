import { createServer } from 'node:net';

/** Different loopback ports that are currently free. @param {number} count */
export async function freePorts(count) {
  const probes = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    probes.map(
      (probe) =>
        new Promise((resolve, reject) => {
          probe.once('error', reject).listen(0, '127.0.0.1', () => {
            resolve(/** @type {import('node:net').AddressInfo} */ (probe.address()).port);
          });
        }),
    ),
  );
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return /** @type {number[]} */ (ports);
}
