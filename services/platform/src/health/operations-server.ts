import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { LoopPasses } from '../jobs/loop-passes.js';
import { orAfter } from '../time/or-after.js';

/** Resolves when the engine answers. */
export type ReadinessCheck = () => Promise<void>;

export interface OperationsServerOptions {
  /** 0 binds a free port. */
  port: number;
  /** Defaults to all interfaces, because probes come from outside the pod. */
  host?: string;
  checks: Readonly<Record<string, ReadinessCheck>>;
  registry: Registry;
}

export interface OperationsServer {
  port: number;
  /** Whether `/readyz` may answer 200; false until boot is done and again while stopping. */
  setReady(ready: boolean): void;
  close(): Promise<void>;
}

/** Kubernetes counts a probe that takes longer as failed. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * Serves `/healthz` (200 as long as the event loop runs and no loop of `registry` stands still, else 503; the body names
 * those loops), `/readyz` (200 if ready and every check passes, else 503; the body names the failed checks) and `/metrics`,
 * on a separate port that is never reachable from outside (HTTP-28). Rejects if the port is taken.
 */
export async function startOperationsServer(options: OperationsServerOptions): Promise<OperationsServer> {
  const { checks, registry } = options;
  const passes = LoopPasses.of(registry);
  let ready = false;
  let wasReady = false;

  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/healthz': async (response) => {
      const loops = passes.still();
      if (loops.length === 0) answer(response, 200, { status: 'ok' });
      else answer(response, 503, { status: 'standing still', loops });
    },
    '/readyz': async (response) => {
      const waiting = wasReady ? { stop: 'stopping' } : { boot: 'not ready' };
      const results = ready ? await runChecks(checks) : waiting;
      const passed = Object.values(results).every((result) => result === 'ok');
      answer(response, passed ? 200 : 503, { status: passed ? 'ok' : 'unavailable', checks: results });
    },
    '/metrics': async (response) => {
      const text = await registry.metrics();
      response
        .writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' })
        .end(text);
    },
  };

  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page) return answer(response, 404, { status: 'not found' });
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return answer(response, 405, { status: 'method not allowed' });
    }
    page(response).catch((error: unknown) => answer(response, 500, { status: String(error) }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    setReady: (value) => {
      ready = value;
      wasReady ||= value;
    },
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** `ok` or the error, by check. */
async function runChecks(checks: Readonly<Record<string, ReadinessCheck>>): Promise<Record<string, string>> {
  const entries = Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function resultOf(check: ReadinessCheck): Promise<string> {
  try {
    const isAnswered = await orAfter(CHECK_TIMEOUT_MS, check());
    return isAnswered ? 'ok' : `no answer within ${CHECK_TIMEOUT_MS} ms`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
