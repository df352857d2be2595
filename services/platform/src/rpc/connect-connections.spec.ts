import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gate } from '../../testing/gate.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { until } from '../../testing/until.js';
import { type Begun, Connections } from './connect-connections.js';

const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

describe('the connections of a server', () => {
  let connections: Connections;
  let begun: Begun[];
  let last: boolean[];
  let held: Promise<void> | undefined;
  let server: Server;

  async function listen(maxAgeMs?: number): Promise<void> {
    connections = new Connections(maxAgeMs);
    begun = [];
    last = [];
    held = undefined;
    const serve = async (socket: Socket, response: ServerResponse) => {
      const one = connections.begin(socket, response);
      begun.push(one);
      if (one === 'gone') return;
      await held;
      last.push(connections.isLast(socket));
      response.end('answered');
    };
    server = createServer(({ socket }, response) => void serve(socket, response));
    server.on('connection', (socket) => connections.add(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = server;
    onTestEnd(() => {
      own.closeAllConnections();
      own.close();
    });
  }

  /** A client that reads all it gets, and keeps its own side open unless it is told to end. */
  function client(): { socket: Socket; text: () => string } {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('error', () => undefined);
    onTestEnd(() => socket.destroy());
    return { socket, text: () => text };
  }

  it('are told at a stop, while they are idle, that nothing has been taken from them', async () => {
    await listen();
    const { socket, text } = client();
    socket.on('end', () => socket.end());
    socket.write(GET);
    await until(() => text().includes('answered'), { what: 'the answer' });
    await connections.leave(60_000);
    expect(text()).toContain('HTTP/1.1 408 Request Timeout');
  });

  it('get no answer to a request that crosses the goodbye, and its handler does not run', async () => {
    await listen();
    const { socket, text } = client();
    await until(() => server.listening && connections.count === 1, { what: 'the connection' });
    const leaving = connections.leave(60_000);
    socket.write(GET);
    await until(() => begun.length === 1, { what: 'the late request' });
    expect(begun).toEqual(['gone']);
    socket.end();
    await leaving;
    expect(text()).not.toContain('answered');
    expect(text()).toContain('408');
  });

  it('finish their running request, as their last, and a new connection is refused meanwhile', async () => {
    await listen();
    const go = gate('the running request to be let go');
    held = go.opened;
    const { socket, text } = client();
    socket.on('end', () => socket.end());
    socket.write(GET);
    await until(() => begun.length === 1, { what: 'the running request' });
    const leaving = connections.leave(60_000);
    client().socket.write(GET);
    await until(() => begun.length === 2, { what: 'the new request' });
    expect(begun).toEqual(['begun', 'refused']);
    go.open();
    await leaving;
    expect(last).toEqual([true, true]);
    expect(text()).toContain('answered');
  });

  it('are not waited for longer than the stop may take', async () => {
    await listen();
    held = new Promise(() => undefined);
    client().socket.write(GET);
    await until(() => begun.length === 1, { what: 'the running request' });
    await connections.leave(50);
    expect(last).toEqual([]);
  });

  it('end with the next answer once they are old', async () => {
    await listen(-60_000);
    client().socket.write(GET);
    await until(() => last.length === 1, { what: 'the answer' });
    expect(last).toEqual([true]);
    await listen();
    client().socket.write(GET);
    await until(() => last.length === 1, { what: 'the answer' });
    expect(last).toEqual([false]);
  });
});
