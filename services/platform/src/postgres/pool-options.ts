import type { PoolConfig } from 'pg';
import { LimitedClient, type LimitedClientConfig } from './limited-client.js';

export interface PostgresLimits {
  /** Milliseconds for a connection: a new one, or a free one of a pool that is in use. Afterwards the caller gets an error. */
  connectMs: number;
  /** Milliseconds after which the server cancels a statement; 0 never does. */
  statementMs: number;
  /** Milliseconds after which the server ends a transaction in which the client does nothing. */
  idleInTransactionMs: number;
  /** Milliseconds that the client waits longer than the server works; then the connection is given up. */
  graceMs: number;
}

/** For what somebody waits for: a statement may take as long as a request. */
export const REQUEST_LIMITS: PostgresLimits = {
  connectMs: 5_000,
  statementMs: 5_000,
  idleInTransactionMs: 15_000,
  graceMs: 1_000,
};

/** For the event bus, whose statements work on many rows. Below the lease of a delivery. */
export const BACKGROUND_LIMITS: PostgresLimits = { ...REQUEST_LIMITS, statementMs: 15_000 };

/** A migration may take any time. That its server's host has died is noticed by TCP alone. */
export const MIGRATION_LIMITS: PostgresLimits = {
  ...REQUEST_LIMITS,
  statementMs: 0,
  idleInTransactionMs: 60_000,
};

/** Node then asks every second, and ends a connection after ten questions without an answer. */
const TCP_KEEPALIVE_AFTER_MS = 10_000;

/** What every pool and every client of PostgreSQL has in common, for all that may go wrong with its server. */
export function poolOptions(limits: PostgresLimits): PoolConfig & LimitedClientConfig {
  const { connectMs, statementMs, idleInTransactionMs, graceMs } = limits;
  return {
    Client: LimitedClient as unknown as PoolConfig['Client'],
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    graceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: TCP_KEEPALIVE_AFTER_MS,
  };
}
