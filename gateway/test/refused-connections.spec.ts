import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { RequestTimeouts } from '../src/http/guards/request-timeouts.js';
import { MEDIA_ID, startListener } from './support/fake-media.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';
import { answerTo, rawConnection } from './support/raw-connection.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.close());

// Rule: HTTP-14, HTTP-23
describe('what the parser of HTTP refuses', () => {
  it.each([
    ['nonsense', 'HELLO\r\n\r\n', 400, 'bad-request'],
    ['no Host', 'GET /api/config HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad-request'],
    [
      'two Hosts',
      'GET /api/config HTTP/1.1\r\nHost: pulso.example\r\nhOST: pulso.example\r\n\r\n',
      400,
      'bad-request',
    ],
    [
      'two lengths',
      'POST /api/posts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'bad-request',
    ],
    [
      'long headers',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
    [
      'CONNECT',
      'CONNECT pulso.example:443 HTTP/1.1\r\nHost: pulso.example:443\r\n\r\n',
      405,
      'method-not-allowed',
    ],
  ])(
    '(%s) gets a problem with all security headers, and its connection is closed',
    async (_, text, status, code) => {
      const [head = '', body = ''] = (await answerTo(gateway.url, text)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const { headers: expected } = await gateway.call('GET', '/api/config');
      for (const name of ['content-security-policy', 'x-content-type-options', 'strict-transport-security']) {
        expect(head).toContain(`${name}: ${expected.get(name)}`);
      }
      expect(head).toContain('connection: close');
      const problem = JSON.parse(body) as Record<string, unknown>;
      expect(problem).toMatchObject({ status, code });
      expect(head).toContain(`x-request-id: ${String(problem.requestId)}`);
    },
  );

  it('does not include expectations that it does not know: they are ignored', async () => {
    const text = 'GET /api/config HTTP/1.1\r\nHost: x\r\nExpect: luck\r\nConnection: close\r\n\r\n';
    expect(await answerTo(gateway.url, text)).toMatch(/^HTTP\/1.1 200 .*content-security-policy/s);
  });

  // Rule: LIMIT-8
  it('includes headers that do not end: they have 10 s', async () => {
    const { answer } = await rawConnection(gateway.url, 'GET /api/config HTTP/1.1\r\nHost: x\r\nX: a');
    expect(await answer).toMatch(/^HTTP\/1.1 408 .*content-security-policy.*"code":"request-timeout"/s);
  }, 60_000);
});

// Rule: HTTP-23
it('nonsense in the middle of an answer is not answered: its connection ends', async () => {
  const media = await startListener((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 1_000_000 })
      .write('the picture');
  });
  onTestEnd(() => media.close());
  const { url } = await startGatewayForThisTest({ MEDIA_BYTES_URL: media.url });
  const { socket, answer } = await rawConnection(
    url,
    `GET /media/${MEDIA_ID}/full HTTP/1.1\r\nHost: x\r\n\r\n`,
  );
  let came = '';
  socket.on('data', (chunk: Buffer) => (came += chunk.toString()));
  await until(() => came.includes('the picture'), { what: 'the begin of the picture' });
  socket.write('HELLO\r\n\r\n');
  expect((await answer).split('HTTP/1.1 ')).toHaveLength(2);
});

// Rule: LIMIT-8
it('gives a body its time, which a stream may extend, and is 408 after it', async () => {
  const server = createServer((request) => {
    if (request.url === '/stream') timeouts.allow(request, Infinity);
  });
  const ends: string[] = [];
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    ends.push(error.code!);
    socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n');
  });
  const timeouts = new RequestTimeouts(server, { bodyMs: 20, checkMs: 5 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`;
  const stream = await rawConnection(url, post('/stream'));
  expect(await answerTo(url, post('/'))).toMatch(/^HTTP\/1.1 408 /);
  expect([ends, stream.socket.destroyed]).toEqual([['ERR_HTTP_REQUEST_TIMEOUT'], false]);
  stream.socket.destroy();
  timeouts.close();
  server.close();
});
