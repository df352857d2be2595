import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRegistry } from '@pulso/platform/telemetry/metrics';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { answerTo, rawConnection } from './support/raw-connection.js';
import { startGatewayForThisTest } from './support/start-test-gateway.js';

const get = (path: string, ...headers: string[]) => [`GET ${path} HTTP/1.1`, ...headers, '\r\n'].join('\r\n');
const GOOD = '/nope';
const BAD = ['/%z', '/api/%z'];

// Rule: LIMIT-1
it.each(['*', '*api/config', 'ftp://x/api/config'])(
  'a target without a path counts as well: %s',
  async (target) => {
    // A request of an address.
    const { url } = await startGatewayForThisTest({ RATE_LIMIT_FACTOR: 0.0001 });
    const ask = () => answerTo(url, get(target, 'Host: x', 'Connection: close'));
    expect(await ask()).toMatch(/^HTTP\/1.1 404 /);
    expect(await ask()).toMatch(/^HTTP\/1.1 429 /);
  },
);

// What the router refuses by itself goes the way of every other request.
describe.each([GOOD, ...BAD])('requests of %s', (path) => {
  // Rule: LIMIT-11
  it('end their connection when they do not wait for their answers, and no more of them are looked at', async () => {
    const { url } = await startGatewayForThisTest();
    let requests = 0;
    const begun = () => (requests += 1);
    subscribe('http.server.request.start', begun);
    onTestEnd(() => unsubscribe('http.server.request.start', begun));
    const { answer } = await rawConnection(url, get(path, 'Host: x').repeat(500));
    expect((await answer).split('HTTP/1.1 ').length - 1).toBeLessThanOrEqual(1);
    expect(requests).toBe(2);
  });

  it('are refused with two hosts', async () => {
    const { url } = await startGatewayForThisTest();
    expect(await answerTo(url, get(path, 'Host: x', 'Host: y'))).toMatch(
      /^HTTP\/1.1 400 .*connection: close.*"code":"bad-request"/s,
    );
  });

  // Rule: LIMIT-12
  it('lose their connection with the answer of a limit', async () => {
    // A request of an address.
    const { url } = await startGatewayForThisTest({ RATE_LIMIT_FACTOR: 0.0001 });
    expect((await fetch(url + path)).status).toBe(404);
    expect(await answerTo(url, get(path, 'Host: x'))).toMatch(/^HTTP\/1.1 429 .*connection: close/s);
  });

  it('are counted as answered', async () => {
    const registry = createRegistry('gateway');
    const { url } = await startGatewayForThisTest({ registry });
    expect((await fetch(url + path)).status).toBe(404);
    expect(await registry.metrics()).toMatch(/route="unrouted",status="404"/);
  });
});
