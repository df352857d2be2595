import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { POST_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const MANY = 65_000;
/** Some pieces of the network's 64 KiB: far less than MANY chunks take. */
const FEW_BYTES = 200_000;
const TINY = '1\r\n \r\n';
const END = '0\r\n\r\n';

let gateway: TestGateway;
/** The gateway's ends of all connections of a test. */
let ends: Socket[];

const accepted = (message: unknown) => ends.push((message as { socket: Socket }).socket);
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.close());
beforeEach(() => {
  ends = [];
  subscribe('net.server.socket', accepted);
});
afterEach(() => void unsubscribe('net.server.socket', accepted));

interface Client {
  socket: Socket;
  answer(): string;
}

function open(): Client {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  onTestEnd(() => socket.destroy());
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  // The gateway may reset while we still send.
  socket.on('error', () => undefined);
  return { socket, answer: () => answer };
}

const headOf = (route: string, type = 'application/json') =>
  [
    `${route} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${gateway.token}`,
    `Content-Type: ${type}`,
    'Transfer-Encoding: chunked',
    '\r\n',
  ].join('\r\n');
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const answered = (one: Client, times = 1) =>
  until(() => one.answer().split('HTTP/1.1 ').length > times, { what: `answer ${times}` });
const ended = () => until(() => ends[0]?.destroyed, { what: 'the end at the gateway' });

// Rule: LIMIT-8
describe('a body of many tiny chunks', () => {
  it.each([
    ['that is read', 'POST /api/auth/logout', 'application/json'],
    ['that will be refused', 'POST /api/auth/login', 'text/plain'],
    ['of an upload', 'POST /api/media/images', 'multipart/form-data; boundary=x'],
    ['that nobody reads', 'GET /api/events', 'application/json'],
    ['that no route takes', 'POST /nope', 'application/json'],
  ])('(%s) ends its connection after few of them', async (_what, route, type) => {
    const { socket } = open();
    socket.write(headOf(route, type) + TINY.repeat(MANY));
    await ended();
    expect(ends[0]!.bytesRead).toBeLessThan(FEW_BYTES);
  });

  it('is answered before its connection ends', async () => {
    const one = open();
    one.socket.write(headOf('POST /api/posts') + TINY.repeat(1_000));
    await ended();
    await answered(one);
    expect(one.answer()).toMatch(/^HTTP\/1.1 400 .*connection: close.*"code":"bad-request"/s);
  });

  it('is ended after its answer, too', async () => {
    const one = open();
    one.socket.write(headOf('POST /nope'));
    await answered(one);
    expect(one.answer()).toMatch(/^HTTP\/1.1 404 /);
    one.socket.write(TINY.repeat(MANY));
    await ended();
    expect(ends[0]!.bytesRead).toBeLessThan(FEW_BYTES);
  });
});

describe('a body in chunks', () => {
  const comment = `POST /api/posts/${POST_ID}/comments`;
  const letters = (text: string) => [...text].map(chunk).join('');

  it('is read whatever their sizes, up to some hundreds of a byte', async () => {
    const one = open();
    const body = JSON.stringify({ content: 'x'.repeat(200) });
    one.socket.write(headOf(comment) + letters(body) + END);
    await answered(one);
    expect(one.answer()).toMatch(/^HTTP\/1.1 201 /);
  });

  it('may have more of them the longer it is', async () => {
    const one = open();
    const spaces = chunk(' '.repeat(256)).repeat(1_000);
    one.socket.write(headOf('POST /api/posts') + spaces + letters('{"content":"x"}') + END);
    await answered(one);
    expect(one.answer()).toMatch(/^HTTP\/1.1 201 /);
  });

  it.each([
    ['POST /nope', 404],
    ['POST /api/posts', 413],
  ])('is read to its end when it is refused (%s), so that its client sees that', async (route, status) => {
    const one = open();
    const long = chunk('x'.repeat(16_384)).repeat(320);
    one.socket.write(headOf(route) + long + END);
    await answered(one);
    expect(one.answer()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    await until(() => ends[0]!.bytesRead > long.length, { what: 'all of the body' });
  });
});
