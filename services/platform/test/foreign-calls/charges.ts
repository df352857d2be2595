import { foreignCalls } from '../../src/foreign-calls/foreign-calls-part.js';
import { Registry } from 'prom-client';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { DomainError } from '../../src/errors/domain-error.js';
import { Commits } from '../../src/events/outbox/commits.js';
import { KnownTokens } from '../../src/events/known-tokens.js';
import type { ForeignCallContext, ForeignCallId } from '../../src/foreign-calls/foreign-call-kind.js';
import { ForeignCalls } from '../../src/foreign-calls/foreign-calls.js';
import { createLogger } from '../../src/logging/logger.js';
import { postgres } from '../../src/postgres/postgres-store.js';
import { Statements } from '../../src/postgres/statements.js';
import { Writes } from '../../src/postgres/writes.js';
import { systemClock } from '../../src/time/clock.js';

/** The steps at which a process is killed. */
export type Step = 'begun' | 'called' | 'settling';

export interface Charge {
  order: string;
  amount: number;
}
interface Rendered extends Charge {
  renderedBy: string;
}
interface Charged {
  id: string;
}

export interface ChargesOptions {
  /** Called at each step, and awaited. */
  reached?: (step: Step) => Promise<void> | void;
  limitMs?: number;
  /** Whether calls heed their signal. */
  deaf?: boolean;
  /** The version of the service, which renders the parameters in its own way. */
  version?: string;
  kinds?: readonly ('charge' | 'refund')[];
  setsState?: boolean;
  log?: (line: string) => void;
}

export const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

class CreateLedger1766100000001 implements MigrationInterface {
  readonly name = 'CreateLedger1766100000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE ledger (at serial PRIMARY KEY, kind text, caller text, key text, amount int, ending text)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger');
  }
}

class AnswerError extends Error {
  constructor(readonly status: number) {
    super(`the foreign system has answered ${status} to sk_test_secret of ana@example.com`);
  }
}

/** A service that charges and refunds through a foreign system, and keeps a ledger of how that has ended. */
export async function openCharges(url: string, foreignUrl: string, options: ChargesOptions = {}) {
  const { reached = () => undefined, limitMs = 30_000, deaf = false, version = 'v1', log } = options;
  const { kinds = ['charge', 'refund'], setsState = false } = options;
  const store = postgres({
    entities: [],
    migrations: [CreateLedger1766100000001],
    owns: [],
    parts: [foreignCalls],
  });
  const target = { service: 'test', setting: 'TEST_DATABASE_URL', url, pool: 8 };
  await store.migrate(target);
  const dataSource = await new DataSource(store.dataSourceOptions(target)).initialize();
  const commits = new Commits({ nudge: () => undefined }, new KnownTokens(), systemClock);
  const writes = new Writes(dataSource, commits);
  const registry = new Registry();
  const logger = createLogger({
    service: 'test',
    level: log ? 'warn' : 'silent',
    ...(log && { destination: { write: log } }),
  });
  const calls = new ForeignCalls(new Statements(dataSource), writes, dataSource, logger, registry);

  const ask = (
    method: string,
    path: string,
    { key, apiVersion, signal }: ForeignCallContext,
    body?: string,
  ) =>
    fetch(`${foreignUrl}${path}`, {
      method,
      headers: { 'idempotency-key': key, version: apiVersion },
      ...(body === undefined ? {} : { body }),
      ...(deaf ? {} : { signal }),
    });

  const register = (name: 'charge' | 'refund') =>
    calls.kind<Charge, Rendered, Charged>({
      name,
      apiVersion: version,
      setsState,
      limitMs,
      giveUpAfterMs: GIVE_UP_AFTER_MS,
      render: (charge) => ({ renderedBy: version, ...charge }),
      async call(rendered, context) {
        await reached('begun');
        const response = await ask('POST', `/${name}`, context, JSON.stringify(rendered));
        if (!response.ok) throw new AnswerError(response.status);
        const charged = (await response.json()) as Charged;
        await reached('called');
        return charged;
      },
      failure(error) {
        const status = error instanceof AnswerError ? error.status : undefined;
        if (status === 402)
          return { is: 'refused', error: new DomainError('payment-required', 'The card was declined.') };
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        if (status === 500) return { is: 'failed' };
        return { is: status === 429 || code === 'ECONNREFUSED' ? 'not-executed' : 'unknown' };
      },
      async find({ order }, context) {
        const response = await ask('GET', `/${name}?order=${order}`, context);
        if (response.status === 404) return undefined;
        if (!response.ok) throw new AnswerError(response.status);
        return (await response.json()) as Charged;
      },
      async settled({ manager }, { amount }, end, { caller, key }) {
        const ending = 'outcome' in end ? end.outcome.id : end.refusal.code;
        await manager.query(
          'INSERT INTO ledger (kind, caller, key, amount, ending) VALUES ($1, $2, $3, $4, $5)',
          [name, caller, key, amount, ending],
        );
        await reached('settling');
      },
    });

  const registered = new Map(kinds.map((name) => [name, register(name)]));
  const kindNamed = (name: 'charge' | 'refund') => registered.get(name)!;
  return {
    calls,
    writes,
    registry,
    run: (id: ForeignCallId, charge: Charge, kind: 'charge' | 'refund' = 'charge') =>
      kindNamed(kind).run(id, charge),
    enqueue: (id: ForeignCallId, charge: Charge, kind: 'charge' | 'refund' = 'charge') =>
      writes.run((transaction) => kindNamed(kind).enqueue(transaction, id, charge)),
    kindNamed,
    async close() {
      await calls.onModuleDestroy();
      await dataSource.destroy();
    },
  };
}
