import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rpcContracts } from '@pulso/contracts/rpc';
import { startPostgres } from '@pulso/embedded/postgres/postgres-server';
import {
  type AccessTokenSigner,
  createAccessTokenSigner,
  generateSigningKey,
  publicJwks,
} from '@pulso/platform/auth/access-token';
import { Cancellation } from '@pulso/platform/context/cancellation';
import { runInContext } from '@pulso/platform/context/request-context';
import { migrateBus } from '@pulso/platform/events/in-process/bus-schema';
import { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { createRpcClient } from '@pulso/platform/rpc/rpc-client';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { startService } from '@pulso/platform/service/start-service';
import { systemClock } from '@pulso/platform/time/clock';
import { RelationRepository } from '@pulso/social/store/relation.repository';
import { social } from '@pulso/social/service';
import { Pool } from 'pg';

const FOLLOWERS = 1_000_000;
const READS = 300;
const AT_ONCE = 40;
const ROUNDS = 12;

interface Percentiles {
  /** The quickest: what it takes without other work on the machine. */
  best: number;
  p50: number;
  p95: number;
}

export interface PeopleFigures {
  followers: number;
  /** A user with all followers, as profiles read it, in ms; the same counted from the rows; and a look-up by key. */
  read: Percentiles;
  counted: Percentiles;
  lookUp: Percentiles;
  /** A directory page of 20 coaches, each with a twentieth of the followers. */
  page: Percentiles;
  recountMs: number;
  /** 40 follows at once: of one coach, and of 40 coaches. Milliseconds until the last has been answered. */
  ofOne: Percentiles;
  ofMany: Percentiles;
}

const id = (kind: number, index: number) =>
  `019a0000-${kind.toString(16).padStart(4, '0')}-7000-8000-${index.toString(16).padStart(12, '0')}`;
const [FAN, COACH, STAR] = [1, 2, id(3, 0)];
/** SQL: the id of the nth of a kind. */
const nth = (kind: number, n: string) =>
  `('019a0000-${kind.toString(16).padStart(4, '0')}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** Reads and writes of followers where one user has a million of them, on the embedded PostgreSQL through social. */
export async function runPeopleFiguresBench(followers = FOLLOWERS): Promise<PeopleFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'pulso-figures-'));
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ directory: join(folder, 'postgres'), password: 'bench' });
  const pool = new Pool({ connectionString: postgres.url, max: 5 });
  let ending = false;
  // The end of PostgreSQL ends connections that are still closing.
  pool.on('error', (error) => {
    if (!ending) throw error;
  });
  try {
    return await measure(postgres.url, pool, followers);
  } finally {
    ending = true;
    await pool.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(url: string, pool: Pool, followers: number): Promise<PeopleFigures> {
  const key = await generateSigningKey();
  const settings = readServiceSettings(social, {
    SOCIAL_DATABASE_URL: url,
    SOCIAL_DATABASE_POOL: String(AT_ONCE),
    ACCESS_TOKEN_JWKS: JSON.stringify(publicJwks([key])),
    CURSOR_SECRETS: JSON.stringify([{ kid: 'bench', secret: 'a secret for the cursors of this benchmark' }]),
  });
  await social.store.migrate(settings.store);
  await migrateBus(pool);
  const logger = createLogger({ service: 'social', level: 'error' });
  const bus = new InProcessBus({ pool, clock: systemClock, logger });
  const transport = { kind: 'in-process', network: new InProcessNetwork() } as const;
  const service = await startService(social, { settings, transport, bus, clock: systemClock, logger });
  const client = createRpcClient(rpcContracts.social, transport, systemClock);
  const signer = createAccessTokenSigner({ keys: [key], ttlSeconds: 3600, clock: systemClock });
  try {
    await seed(pool, followers);
    const recountMs = await timed(async () => {
      const { rows } = await pool.query<{ ids: string[] }>(
        'SELECT array_agg(DISTINCT target_id) AS ids FROM follows',
      );
      await pool.query('SELECT recount_figures($1::uuid[])', [rows[0]!.ids]);
    });
    const relations = service.get(RelationRepository);
    const [read, counted, page, lookUp, ofOne, ofMany]: number[][] = [[], [], [], [], [], []];
    const coaches = Array.from({ length: 20 }, (_, index) => id(COACH, index));
    for (let turn = 0; turn < READS; turn += 1) {
      read!.push(await timed(() => relations.among(id(FAN, turn), [STAR])));
      lookUp!.push(await timed(() => pool.query(LOOK_UP, [id(FAN, turn)])));
      page!.push(await timed(() => relations.among(id(FAN, turn), coaches)));
      if (turn % 30 === 0) counted!.push(await timed(() => pool.query(COUNTED, [STAR])));
    }
    const follow = async (fan: number, userId: string) => {
      const context = await aCall(signer, id(FAN, fan));
      await runInContext(context, () => client.followUser({ userId }));
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const many = Array.from({ length: AT_ONCE }, (_, index) => index);
      const fan = (index: number) => (round * 2 + 1) * AT_ONCE + index;
      const target = id(COACH, 30 + round);
      ofOne!.push(await timed(() => Promise.all(many.map((n) => follow(fan(n), target)))));
      const others = (n: number) => id(COACH, 100 + round * AT_ONCE + n);
      ofMany!.push(await timed(() => Promise.all(many.map((n) => follow(fan(n) + AT_ONCE, others(n))))));
    }
    const samples = { read, counted, page, lookUp, ofOne, ofMany };
    const figures = Object.fromEntries(
      Object.entries(samples).map(([name, times]) => [name, percentiles(times!)]),
    ) as Record<keyof typeof samples, Percentiles>;
    return { followers, ...figures, recountMs: Math.round(recountMs) };
  } finally {
    await client.close();
    await service.close();
    await bus.stop();
  }
}

const LOOK_UP = 'SELECT * FROM known_users WHERE id = $1';
const COUNTED = `SELECT count(*) FROM follows WHERE target_id = $1 AND deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM known_users gone WHERE gone.id = follower_id AND gone.status <> 'active')`;

/** Without triggers, which would store a change for each row. */
async function seed(pool: Pool, followers: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    for (const [kind, count] of [
      [FAN, followers],
      [COACH, 1_000],
      [3, 1],
    ] as const) {
      await client.query(
        `INSERT INTO known_users (id, status, name, username, profile_image_id, is_coach, version)
         SELECT ${nth(kind, 'n')}, CASE WHEN n % 1000 = 1 THEN 'suspended' ELSE 'active' END, 'Name', 'name', '', true, 1
         FROM generate_series(0, $1 - 1) AS n`,
        [count],
      );
    }
    const follow = (target: string) =>
      client.query(
        `INSERT INTO follows (follower_id, target_id, created_at, version)
         SELECT ${nth(FAN, 'n')}, ${target}, now(), 1 FROM generate_series(0, $1 - 1) AS n`,
        [followers],
      );
    await follow(nth(3, '0'));
    await follow(nth(COACH, 'n % 20'));
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release(true);
  }
}

async function aCall(signer: AccessTokenSigner, userId: string) {
  const { token } = await signer.sign({ userId, sessionId: 'bench' });
  return {
    ...{ requestId: 'bench', authorization: `Bearer ${token}`, caller: null, traceparent: undefined },
    ...{ deadline: Infinity, cancellation: new Cancellation(), after: [], wrote: [] },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function percentiles(samplesMs: readonly number[]): Percentiles {
  const sorted = samplesMs.toSorted((a, b) => a - b);
  const at = (part: number) => Number(sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(2));
  return { best: at(0), p50: at(0.5), p95: at(0.95) };
}
