import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import pg from 'pg';
import { startPostgres } from '../../src/postgres/postgres-server.js';

/** The ports that PostgreSQL is told, one a start, of which the first `taken` are in use. */
async function startWithPorts({ taken }: { taken: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-port-'));
  onTestEnd(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const ports: number[] = [];
  const exits: string[] = [];
  const freePort = async () => {
    const holder = createServer();
    await new Promise<void>((resolve, reject) => {
      holder.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    ports.push((holder.address() as AddressInfo).port);
    const close = () => new Promise((resolve) => holder.close(resolve));
    if (ports.length > taken) await close();
    else onTestEnd(close);
    return ports.at(-1)!;
  };
  const server = await startPostgres({
    directory: join(folder, 'postgres'),
    password: 'secret',
    durable: false,
    freePort,
    onExit: (reason) => exits.push(reason),
  });
  onTestEnd(() => server.stop());
  return { server, ports, exits };
}

describe('a port that another program takes before PostgreSQL does', () => {
  it('is given up for the next', async () => {
    const { server, ports, exits } = await startWithPorts({ taken: 2 });
    expect([ports.length, new URL(server.url).port, exits]).toEqual([3, `${ports[2]}`, []]);
    const client = new pg.Client(server.url);
    onTestEnd(() => client.end());
    await client.connect();
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('is told when it happens again and again', async () => {
    await expect(startWithPorts({ taken: 9 })).rejects.toThrow('could not create any TCP/IP sockets');
  });
});
