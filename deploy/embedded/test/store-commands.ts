import mongoose from 'mongoose';
import pg from 'pg';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/** The option that the URL of a document store needs for `hearWrites`. */
export const MONITORED = 'monitorCommands=true';

// Not the locks of readers: FOR UPDATE SKIP LOCKED.
const SQL_WRITE = /\b(INSERT INTO|UPDATE(?! SKIP)|DELETE FROM)\s+"?(\w+)/;
const DOCUMENT_WRITES = ['insert', 'update', 'delete', 'findAndModify'];

/** `prefix_1a2b3c4d_posts` is posts'. */
const serviceOf = (database: string | undefined) => database?.split('_').at(-1) ?? '';

/**
 * Tells `heard` each statement and command of this process that writes, such as `social INSERT INTO follows` or `posts update
 * posts`, and each begin of a transaction; a statement with several writes is named by the first. Call the result to end it.
 * Document stores must be connected before, by a URL with `MONITORED`.
 */
export function hearWrites(heard: (write: string) => void): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { text?: string }];
    const text = typeof asked === 'string' ? asked : (asked.text ?? '');
    const [, what, table] = SQL_WRITE.exec(text) ?? [];
    if (what) heard(`${serviceOf(this.database)} ${what} ${table}`);
    else if (/^(BEGIN|START)/.test(text)) heard(`${serviceOf(this.database)} transaction`);
    return query.apply(this, given);
  };
  const clients = mongoose.connections.flatMap((connection) =>
    connection.readyState === mongoose.ConnectionStates.connected ? [connection.getClient()] : [],
  );
  const onCommand = ({ commandName, databaseName, command }: mongoose.mongo.CommandStartedEvent) => {
    if (DOCUMENT_WRITES.includes(commandName))
      heard(`${serviceOf(databaseName)} ${commandName} ${String(command[commandName])}`);
  };
  for (const client of clients) client.on('commandStarted', onCommand);
  return () => {
    prototype.query = query;
    for (const client of clients) client.off('commandStarted', onCommand);
  };
}
