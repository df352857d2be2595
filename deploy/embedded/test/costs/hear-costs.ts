import { BusMetrics } from '@pulso/platform/events/bus-metrics';
import { InProcessChannel } from '@pulso/platform/rpc/in-process';
import mongoose from 'mongoose';
import pg from 'pg';
import { quietly } from './quietly.js';

/** The option that the URL of a document store needs for `hearCosts`. */
export const MONITORED = 'monitorCommands=true';

/** What one act costs until every service has handled it, in facts: names with how often. */
export interface Costs {
  /** `identity.getMe`; those of the gateway and of services. */
  rpcs: Record<string, number>;
  /** PostgreSQL, by service: `social SELECT follows`; a transaction counts once. */
  statements: Record<string, number>;
  /** The document store, by service: `posts find posts`. */
  commands: Record<string, number>;
  /** Handled events, by topic: once for each group that gets one. */
  deliveries: Record<string, number>;
  /** Rows and documents that were written, deleted ones included. */
  rows: number;
  /** Of values and documents that were sent to be written. */
  bytes: number;
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
type Unary = InProcessChannel['unary'];
type Handled = BusMetrics['handled'];
type Add = (kind: 'rpcs' | 'statements' | 'commands' | 'deliveries', name: string) => void;
interface Written {
  rowCount?: number | null;
}

const TABLE = String.raw`\s+(?:ONLY\s+)?"?(?:\w+"?\."?)?"?(\w+)`;
// Not the locks of readers: FOR UPDATE SKIP LOCKED.
const WRITE = new RegExp(String.raw`\b(INSERT INTO|UPDATE(?! (?:SKIP|OF|NOWAIT|$))|DELETE FROM)${TABLE}`);
const READ = new RegExp(String.raw`\bFROM${TABLE}`, 'i');
const DOCUMENT_WRITES: Readonly<Record<string, string | undefined>> = {
  insert: 'documents',
  update: 'updates',
  delete: 'deletes',
  findAndModify: 'update',
};
/** What a driver asks for itself. */
const OF_DRIVERS = new Set(['hello', 'ping', 'endSessions', 'saslStart', 'saslContinue']);

/** `prefix_1a2b3c4d_posts` is posts'. */
const serviceOf = (database: string | undefined) => database?.split('_').at(-1) ?? '';

export interface Hearing {
  costs: Costs;
  /** Milliseconds since something was heard. */
  quietMs(): number;
  end(): void;
}

/**
 * Counts what this process asks of its stores and services from now on. Document stores must be connected before, by a URL with
 * `MONITORED`. What runs `quietly` does not count.
 */
export function hearCosts(): Hearing {
  const costs: Costs = { rpcs: {}, statements: {}, commands: {}, deliveries: {}, rows: 0, bytes: 0 };
  let heardAt = performance.now();
  const add: Add = (kind, name) => {
    heardAt = performance.now();
    costs[kind][name] = (costs[kind][name] ?? 0) + 1;
  };
  const ends = [hearStatements(costs, add), hearCommands(costs, add), hearRpcs(add), hearDeliveries(add)];
  return {
    costs,
    quietMs: () => performance.now() - heardAt,
    end: () => ends.splice(0).forEach((end) => end()),
  };
}

/** In place of a method until the result is called. */
function replace<T extends object, M extends keyof T>(
  of: T,
  method: M,
  by: (original: T[M]) => T[M],
): () => void {
  const original = of[method];
  of[method] = by(original);
  return () => void (of[method] = original);
}

function hearStatements(costs: Costs, add: Add): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  return replace(
    prototype,
    'query',
    (query) =>
      function (this: pg.Client, ...given: unknown[]) {
        const [asked, values] = given as [string | { text?: string; values?: unknown[] }, unknown];
        const text = typeof asked === 'string' ? asked : (asked.text ?? '');
        const isHeard = !quietly.getStore() && !/^(COMMIT|SET|RELEASE|LISTEN|UNLISTEN)/.test(text);
        if (!isHeard) return query.apply(this, given);
        const service = serviceOf(this.database);
        const [, what, table] = WRITE.exec(text) ?? [];
        if (!what) {
          add('statements', `${service} ${nameOfRead(text)}`);
          return query.apply(this, given);
        }
        add('statements', `${service} ${what.split(' ')[0]} ${table}`);
        const sent = typeof asked === 'string' ? values : (asked.values ?? values);
        if (Array.isArray(sent)) costs.bytes += bytesOf(sent);
        return countedRows(query.apply(this, withCountingCallback(given, costs)), costs);
      },
  );
}

function nameOfRead(text: string): string {
  if (/^(BEGIN|START)/.test(text)) return 'transaction';
  if (/^ROLLBACK/.test(text)) return 'rollback';
  const [, table] = READ.exec(text) ?? [];
  return table ? `SELECT ${table}` : `SELECT ${/\b(pg_\w+)\(/.exec(text)?.[1] ?? 'value'}`;
}

const bytesOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => {
    if (value instanceof Uint8Array) return sum + value.byteLength;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return sum + Buffer.byteLength(text ?? '');
  }, 0);

/** Statements are sent with a callback or for a promise. */
function withCountingCallback(given: unknown[], costs: Costs): unknown[] {
  const last = given.at(-1);
  if (typeof last !== 'function') return given;
  const callback = (error: unknown, result: Written | undefined) => {
    costs.rows += result?.rowCount ?? 0;
    (last as (error: unknown, result: unknown) => void)(error, result);
  };
  return [...given.slice(0, -1), callback];
}

function countedRows(answer: unknown, costs: Costs): unknown {
  if (answer instanceof Promise)
    answer.then(
      (result: Written) => void (costs.rows += result.rowCount ?? 0),
      // Told where the statement was sent.
      () => undefined,
    );
  return answer;
}

function hearCommands(costs: Costs, add: Add): () => void {
  const clients = mongoose.connections.flatMap((connection) =>
    connection.readyState === mongoose.ConnectionStates.connected ? [connection.getClient()] : [],
  );
  const writes = new Set<number>();
  const onStart = ({ commandName, databaseName, command, requestId }: mongoose.mongo.CommandStartedEvent) => {
    if (quietly.getStore() || OF_DRIVERS.has(commandName)) return;
    const target = command[commandName === 'getMore' ? 'collection' : commandName];
    add(
      'commands',
      `${serviceOf(databaseName)} ${commandName}${typeof target === 'string' ? ` ${target}` : ''}`,
    );
    const given = DOCUMENT_WRITES[commandName];
    if (given === undefined) return;
    writes.add(requestId);
    if (command[given])
      costs.bytes += mongoose.mongo.BSON.calculateObjectSize({ given: command[given] as unknown });
  };
  const onSuccess = ({ requestId, reply }: mongoose.mongo.CommandSucceededEvent) => {
    if (!writes.delete(requestId)) return;
    const { n, lastErrorObject } = reply as { n?: number; lastErrorObject?: { n?: number } };
    costs.rows += n ?? lastErrorObject?.n ?? 0;
  };
  for (const client of clients) client.on('commandStarted', onStart).on('commandSucceeded', onSuccess);
  return () => {
    for (const client of clients) client.off('commandStarted', onStart).off('commandSucceeded', onSuccess);
  };
}

function hearRpcs(add: Add): () => void {
  return replace(
    InProcessChannel.prototype,
    'unary',
    (unary: Unary) =>
      function (this: InProcessChannel, call) {
        // `pulso.identity.v1.IdentityService`
        const [, service] = (this as unknown as { service: string }).service.split('.');
        if (!quietly.getStore()) add('rpcs', `${service}.${call.method}`);
        return unary.call(this, call);
      },
  );
}

function hearDeliveries(add: Add): () => void {
  return replace(
    BusMetrics.prototype,
    'handled',
    (handled: Handled) =>
      function (this: BusMetrics, group, event, now) {
        add('deliveries', event.topic);
        handled.call(this, group, event, now);
      },
  );
}
