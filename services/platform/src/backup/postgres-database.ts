import { Client } from 'pg';
import { StartError } from '../process/start-error.js';
import { KEPT_PREFIX } from './backup-names.js';
import { allOf, outputOf, startProgram } from './program.js';
import { pipeline } from 'node:stream/promises';

/** What no backup has: who owns or may read a table is a matter of the database that it comes back to. */
const WITHOUT = ['--no-owner', '--no-privileges'];
/** A migration that holds a table is waited for so long. */
const LOCK_WAIT = '60s';

/** The database as a dump of pg_dump's own format, all of it as of one moment. Throws StartError if pg_dump fails. */
export function dumpPostgres(url: string): AsyncGenerator<Buffer> {
  const { target, env } = targetOf(url);
  const kept = `--exclude-schema=${KEPT_PREFIX}*`;
  return outputOf(
    startProgram(
      'pg_dump',
      ['--format=custom', ...WITHOUT, kept, `--lock-wait-timeout=${LOCK_WAIT}`, target],
      env,
    ),
  );
}

/**
 * Puts a dump in the place of the schema `public`, which is kept under the name `kept`. All of it is one transaction: where anything fails,
 * nothing has changed. Nobody else may use the database meanwhile. Throws StartError.
 */
export async function restorePostgres(
  url: string,
  source: AsyncIterable<Uint8Array>,
  kept: string,
): Promise<void> {
  const { target, env } = targetOf(url);
  const reader = startProgram('pg_restore', [...WITHOUT, '--file=-']);
  const writer = startProgram(
    'psql',
    ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--output=/dev/null', target],
    env,
  );
  async function* transaction() {
    yield `BEGIN;\nALTER SCHEMA public RENAME TO ${kept};\nCREATE SCHEMA public;\n`;
    yield* outputOf(reader);
    // Not reached unless the dump was read to its end; without it psql undoes all.
    await fed;
    yield '\nCOMMIT;\n';
  }
  const fed = pipeline(source, reader.stdin);
  fed.catch(() => undefined);
  try {
    await allOf([fed, pipeline(transaction(), writer.stdin), writer.done]);
  } finally {
    reader.kill();
    writer.kill();
  }
}

/** Drops what a restore has kept under this name. Throws StartError if there is nothing. */
export async function forgetPostgres(url: string, kept: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [kept]);
    if (rowCount === 0) throw new StartError(`the database has no schema ${kept}`);
    await client.query(`DROP SCHEMA ${client.escapeIdentifier(kept)} CASCADE`);
  } finally {
    await client.end();
  }
}

/** Arguments can be read by every user of a machine, so the password goes by the environment. */
function targetOf(text: string): { target: string; env: NodeJS.ProcessEnv } {
  if (!URL.canParse(text)) throw new StartError('the URL of the database must name one host');
  const url = new URL(text);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { target: `--dbname=${url.href}`, env: password ? { PGPASSWORD: password } : {} };
}
