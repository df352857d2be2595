import mongoose from 'mongoose';
import pg from 'pg';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/** The option that the URL of a document store needs for `hearStores`. */
export const MONITORED = 'monitorCommands=true';

/** One statement or command of this process. */
export interface Asked {
  /** Of the service whose database it is, or the event bus: `bus`. */
  of: string;
  /** Such as `INSERT INTO follows`, `BEGIN`, or `update posts`. */
  what: string;
  isWrite: boolean;
  /** A read that comes with the time, or with a pass over what others have written, and not with an act. */
  isRegular: boolean;
}

// Not the locks of readers: FOR UPDATE SKIP LOCKED.
const SQL_WRITE = /\b(INSERT INTO|UPDATE(?! SKIP)|DELETE FROM)\s+"?(\w+)/;
const SQL_CALL = /^SELECT (?:\* FROM )?(\w+)\(/;
const SQL_READ = /\bFROM\s+"?(\w+)/;
/** What relays, tails and jobs look for. */
const REGULAR_FILTER = /"(changedAt|dirtyAt|unfolded|dueAt|uncounted|toCount|countAt)"/;
const REGULAR_TABLES = /^(rebuilds|leases|outbox|bus_deliveries|sessions|endings|figure_changes)$/;
const REGULAR_COMMANDS = ['hello', 'ping', 'endSessions', 'aggregate'];
const DOCUMENT_WRITES = ['insert', 'update', 'delete', 'findAndModify'];

/** `prefix_1a2b3c4d_posts` is posts'. */
const serviceOf = (database: string | undefined) => database?.split('_').at(-1) ?? '';

/**
 * Tells `heard` each of them. A statement with several writes is named by the first. Call the result to end it.
 * Document stores must be connected before, by a URL with `MONITORED`.
 */
export function hearStores(heard: (asked: Asked) => void): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { text?: string }];
    const text = (typeof asked === 'string' ? asked : (asked.text ?? '')).trim();
    heard({ of: serviceOf(this.database), ...statementOf(text) });
    return query.apply(this, given);
  };
  const clients = mongoose.connections.flatMap((connection) =>
    connection.readyState === mongoose.ConnectionStates.connected ? [connection.getClient()] : [],
  );
  const onCommand = ({ commandName, databaseName, command }: mongoose.mongo.CommandStartedEvent) => {
    const what =
      typeof command[commandName] === 'string' ? `${commandName} ${command[commandName]}` : commandName;
    const isRegular =
      REGULAR_COMMANDS.includes(commandName) ||
      REGULAR_TABLES.test(String(command[commandName])) ||
      (commandName === 'find' && REGULAR_FILTER.test(JSON.stringify([command['filter'], command['sort']])));
    heard({ of: serviceOf(databaseName), what, isWrite: DOCUMENT_WRITES.includes(commandName), isRegular });
  };
  for (const client of clients) client.on('commandStarted', onCommand);
  return () => {
    prototype.query = query;
    for (const client of clients) client.off('commandStarted', onCommand);
  };
}

function statementOf(text: string): Omit<Asked, 'of'> {
  const [, write, written] = SQL_WRITE.exec(text) ?? [];
  if (write) return { what: `${write} ${written}`, isWrite: true, isRegular: false };
  if (/^(BEGIN|START)/.test(text)) return { what: 'BEGIN', isWrite: false, isRegular: false };
  const [, called] = SQL_CALL.exec(text) ?? [];
  if (called) return { what: `SELECT ${called}()`, isWrite: false, isRegular: called === 'count' };
  const [, read = ''] = SQL_READ.exec(text) ?? [];
  const [word = ''] = text.split(/\s/);
  return { what: `${word} ${read}`.trim(), isWrite: false, isRegular: REGULAR_TABLES.test(read) };
}
