import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@pulso/embedded/postgres/postgres-server';
import { createAccessTokenSigner, generateSigningKey, publicJwks } from '@pulso/platform/auth/access-token';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { systemClock } from '@pulso/platform/time/clock';
import { Pool } from 'pg';
import { cpuOfTree } from '../support/tree-usage.js';
import { bearer, child, message, stop } from './bench-servers.js';
import { CONNECTIONS, type Load, loadOf, quantile, type Side } from './calls-side.js';

const USERS = 60;

/** A bare Fastify that verifies tokens of Pulso's kind, cached, and sends these bytes. */
export async function startBareFeed(body: string): Promise<Side> {
  const key = await generateSigningKey();
  const signer = createAccessTokenSigner({ keys: [key], ttlSeconds: 3600, clock: systemClock });
  const tokens = await Promise.all(
    Array.from({ length: USERS }, () => signer.sign({ userId: newId(), sessionId: newId() })),
  );
  const bare = child('bare-server.js');
  bare.send({ jwks: publicJwks([key]), body });
  const { url } = await message<{ url: string }>(bare);
  const requests = tokens.map(({ token }) => ({
    method: 'GET' as const,
    path: '/api/feed',
    headers: bearer(token),
  }));
  return {
    name: 'bare Fastify',
    loads: new Map([
      ['feed', (seconds) => loadOf(url, { name: 'feed', connections: CONNECTIONS, requests }, seconds)],
    ]),
    cpu: () => cpuOfTree(bare.pid!),
    stop: () => stop(bare),
  };
}

/** `SELECT 1` over pg on an embedded PostgreSQL; `own` is this process, the client. */
export async function startSelects(): Promise<Side> {
  const directory = mkdtempSync(join(tmpdir(), 'pulso-bench-'));
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), password: 'bench' });
  const pool = new Pool({ connectionString: postgres.url, max: CONNECTIONS });
  // The server may be gone before it has answered the goodbye of a connection.
  pool.on('error', () => undefined);
  return {
    name: 'pg',
    loads: new Map([['select', (seconds) => selects(pool, seconds)]]),
    cpu() {
      const { user, system } = process.cpuUsage();
      const own = (user + system) / 1_000;
      const engine = cpuOfTree(postgres.pid);
      return { ...engine, own, all: engine.all + own };
    },
    async stop() {
      await pool.end();
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function selects(pool: Pool, seconds: number): Promise<Load> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const work = async () => {
    for (let began = performance.now(); began < end;) {
      await pool.query('SELECT 1');
      const now = performance.now();
      times.push(now - began);
      began = now;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    requestsPerSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failed: 0,
  };
}
