import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestEnd } from '../../testing/on-test-end.js';
import { listenOrExplain } from './listening.js';

const listen = (port: number, host?: string) =>
  new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
    const server = createServer();
    onTestEnd(() => server.close());
    server.once('error', reject).listen(port, host, () => resolve(server));
  });

describe('a port that another program uses', () => {
  it('is reported with its setting', async () => {
    const other = await listen(0);
    const { port } = other.address() as AddressInfo;
    await expect(listenOrExplain({ PORT: 1, OPERATIONS_PORT: port }, () => listen(port))).rejects.toThrow(
      `OPERATIONS_PORT: ${port} is taken by another program.`,
    );
    await new Promise((resolve) => other.close(resolve));
    await expect(listenOrExplain({ PORT: port }, () => listen(port))).resolves.toBeDefined();
  });

  it.each(['nohost.invalid', '999.1.1.1', '192.0.2.1'])(
    'is reported for an address of another machine: %s',
    async (host) => {
      const failing = listenOrExplain({ PORT: 0 }, () => listen(0, host), { HOST: host });
      await expect(failing).rejects.toThrow(`HOST: ${host} is not an address of this machine.`);
    },
  );

  it('does not hide other errors', async () => {
    const trouble = new Error('something else');
    await expect(listenOrExplain({ PORT: 1 }, () => Promise.reject(trouble))).rejects.toBe(trouble);
  });
});
