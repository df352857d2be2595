import type { Databases } from '@pulso/embedded/databases';
import { withServer } from '@pulso/embedded/databases';
import mongoose from 'mongoose';

/** Where something personal was found: `identity.users`, `posts.comments`, `objects`. */
export interface Trace {
  needle: string;
  where: string;
}

interface Searched {
  databases: Databases;
  objects(): Promise<string[]>;
}

/**
 * Every place that has one of these texts: each table and each collection of each service and of the bus, whatever its columns, and the
 * names of stored objects. Case does not count. What is stored as bytes is found as well, such as an event that waits to be published.
 */
export async function tracesOf(needles: readonly string[], pulso: Searched): Promise<Trace[]> {
  const lower = needles.map((needle) => needle.toLowerCase());
  const found = await Promise.all(
    Object.entries(pulso.databases).map(([name, url]) =>
      /^mongodb/.test(url) ? inDocuments(name, url, lower) : inTables(name, url, lower),
    ),
  );
  const names = (await pulso.objects()).map((name) => name.toLowerCase());
  const inObjects = lower
    .filter((needle) => names.some((name) => name.includes(needle)))
    .map((needle) => ({ needle, where: 'objects' }));
  return [...found.flat(), ...inObjects];
}

async function inTables(name: string, url: string, needles: readonly string[]): Promise<Trace[]> {
  const traces: Trace[] = [];
  await withServer(url, async (client) => {
    const { rows: tables } = await client.query<{ table: string }>(
      `SELECT table_name AS table FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    for (const { table } of tables) {
      // Bytes are written in hexadecimal digits.
      const { rows } = await client.query<{ needle: string }>(
        `SELECT needle FROM unnest($1::text[]) AS needle WHERE EXISTS (
           SELECT FROM ${client.escapeIdentifier(table)} AS entry
           WHERE strpos(lower(entry::text), needle) > 0
             OR strpos(entry::text, encode(convert_to(needle, 'UTF8'), 'hex')) > 0)`,
        [needles],
      );
      traces.push(...rows.map(({ needle }) => ({ needle, where: `${name}.${table}` })));
    }
  });
  return traces;
}

async function inDocuments(name: string, url: string, needles: readonly string[]): Promise<Trace[]> {
  const connection = await mongoose.createConnection(url, { promoteBuffers: true }).asPromise();
  try {
    const traces: Trace[] = [];
    for (const { name: collection } of await connection
      .db!.listCollections({}, { nameOnly: true })
      .toArray()) {
      const left = new Set(needles);
      for await (const document of connection.db!.collection(collection).find({})) {
        const text = textOf(document).toLowerCase();
        for (const needle of left) {
          if (!text.includes(needle)) continue;
          left.delete(needle);
          traces.push({ needle, where: `${name}.${collection}` });
        }
      }
    }
    return traces;
  } finally {
    await connection.close();
  }
}

/** All that a document has, names of fields as well, since some are ids. */
function textOf(value: unknown): string {
  if (Buffer.isBuffer(value) || value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof Date || value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key} ${textOf(member)}`)
    .join('\n');
}
