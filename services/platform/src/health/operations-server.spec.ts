import { jest } from '@jest/globals';
import { LoopPasses } from '../jobs/loop-passes.js';
import { counter, createRegistry, gauge } from '../telemetry/metrics.js';
import { startOperationsServer, type OperationsServer } from './operations-server.js';

const registry = createRegistry('posts');
let engine: () => Promise<void>;
let server: OperationsServer;

beforeEach(async () => {
  engine = async () => undefined;
  server = await startOperationsServer({
    port: 0,
    host: '127.0.0.1',
    checks: { engine: () => engine(), other: async () => undefined },
    registry,
  });
});

afterEach(() => server?.close());

const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

// Rule: HTTP-28
describe('the operations server', () => {
  it('is alive from the start', async () => {
    const response = await get('/healthz');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  it('is ready after setReady(true)', async () => {
    const early = await get('/readyz');
    expect([early.status, await early.json()]).toEqual([
      503,
      { status: 'unavailable', checks: { boot: 'not ready' } },
    ]);
    server.setReady(true);
    const ready = await get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ok', checks: { engine: 'ok', other: 'ok' } },
    ]);
    server.setReady(false);
    const late = await get('/readyz');
    expect([late.status, await late.json()]).toEqual([
      503,
      { status: 'unavailable', checks: { stop: 'stopping' } },
    ]);
  });

  it('is not ready while an engine fails, but alive', async () => {
    server.setReady(true);
    engine = () => Promise.reject(new Error('connection refused'));
    const response = await get('/readyz');
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'unavailable', checks: { engine: 'connection refused', other: 'ok' } },
    ]);
    expect((await get('/healthz')).status).toBe(200);
    engine = async () => undefined;
    expect((await get('/readyz')).status).toBe(200);
  });

  it('is not ready while an engine hangs', async () => {
    server.setReady(true);
    engine = () => new Promise(() => undefined);
    const response = await get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { engine: 'no answer within 2000 ms' } });
  });

  it('is not alive while a loop stands still, and names it', async () => {
    const still = jest.spyOn(LoopPasses.of(registry), 'still').mockReturnValue(['outbox relay']);
    const response = await get('/healthz');
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'standing still', loops: ['outbox relay'] },
    ]);
    still.mockRestore();
    expect((await get('/healthz')).status).toBe(200);
  });

  it('shows the other metrics while one cannot be read', async () => {
    gauge(registry, {
      name: 'pulso_spec_depth',
      help: 'help',
      async collect() {
        throw new Error('connection refused');
      },
    });
    const response = await get('/metrics');
    const text = await response.text();
    expect([
      response.status,
      text.includes('\nnodejs_version_info{'),
      text.includes('\npulso_spec_depth{'),
    ]).toEqual([200, true, false]);
  });

  it('shows the metrics of Node and our own, labelled', async () => {
    counter(registry, { name: 'pulso_spec_total', help: 'A count' }).inc(2);
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    expect(text).toContain('pulso_spec_total{service="posts"} 2');
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds\{service="posts"\} /m);
  });

  it('answers 404 and 405 to other requests', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/constructor')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
    expect((await get('/healthz', { method: 'HEAD' })).status).toBe(200);
  });

  it('rejects when its port is taken', async () => {
    const again = startOperationsServer({ port: server.port, host: '127.0.0.1', checks: {}, registry });
    await expect(again).rejects.toThrow('EADDRINUSE');
  });
});
