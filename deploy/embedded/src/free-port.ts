import { createServer } from 'node:net';

/** A port of this machine that nothing listens on at this moment; `wanted` if that is one. */
export async function freePort(wanted = 0): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) =>
    probe.once('error', reject).listen(wanted, '127.0.0.1', resolve),
  );
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
