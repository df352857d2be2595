import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { takingPorts } from './listening.js';

const listen = (port: number) =>
  new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(port, () => resolve(server));
  });

describe('a port that another program has', () => {
  it('is told by the setting that asks for it', async () => {
    const other = await listen(0);
    const { port } = other.address() as AddressInfo;
    await expect(takingPorts({ PORT: 1, OPERATIONS_PORT: port }, () => listen(port))).rejects.toThrow(
      `OPERATIONS_PORT: ${port} is taken by another program.`,
    );
    await new Promise((resolve) => other.close(resolve));
    const now = await takingPorts({ PORT: port }, () => listen(port));
    now.close();
  });

  it('hides no other trouble', async () => {
    const trouble = new Error('something else');
    await expect(takingPorts({ PORT: 1 }, () => Promise.reject(trouble))).rejects.toBe(trouble);
  });
});
