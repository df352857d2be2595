import { execFileSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { Client } from 'pg';
import { dumpPostgres, forgetPostgres, restorePostgres } from '../../src/backup/postgres-database.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';

const KEPT = 'before_restore_20261127_204500';

/** Whether this machine has PostgreSQL's own client, not older than the engine: it dumps no newer one. */
async function clientFits(): Promise<boolean> {
  const client = new Client({ connectionString: process.env['PULSO_TEST_POSTGRES_URL'] });
  await client.connect();
  const { rows } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version_num') AS version",
  );
  await client.end();
  try {
    const said = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
    return Number(/(\d+)/.exec(said)?.[1]) >= Math.floor(Number(rows[0]!.version) / 10_000);
  } catch {
    return false;
  }
}

async function aBillingDatabase() {
  const { url, pool, drop } = await aPostgresDatabase('backup');
  onTestEnd(drop);
  await pool.query(`
    CREATE TYPE state AS ENUM ('active', 'ended');
    CREATE TABLE coaches (id uuid PRIMARY KEY, price bigint);
    CREATE TABLE subscriptions (
      id bigserial PRIMARY KEY, coach uuid REFERENCES coaches (id), state state NOT NULL, note jsonb, bytes bytea
    );
    CREATE UNIQUE INDEX one_active ON subscriptions (coach) WHERE state = 'active';
    INSERT INTO coaches SELECT gen_random_uuid(), n FROM generate_series(1, 500) n;
    INSERT INTO subscriptions (coach, state, note, bytes)
      SELECT id, 'active', '{"a": "ü"}', '\\x00ff' FROM coaches;`);
  const digest = async (schema = 'public') => {
    const { rows } = await pool.query<{ digest: string }>(
      `SELECT md5(string_agg(s::text, '' ORDER BY id)) AS digest FROM ${schema}.subscriptions s`,
    );
    return rows[0]!.digest;
  };
  return { url, pool, digest };
}

async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

((await clientFits()) ? describe : describe.skip)('a dump of PostgreSQL', () => {
  it('comes back in the place of what is there, which is kept until it is forgotten', async () => {
    const { url, pool, digest } = await aBillingDatabase();
    const dump = await buffer(dumpPostgres(url));
    const before = await digest();
    await pool.query("UPDATE subscriptions SET state = 'ended'; CREATE TABLE added (id int)");
    const broken = await digest();

    await restorePostgres(url, chunksOf(dump), KEPT);
    expect(await digest()).toBe(before);
    expect(await digest(KEPT)).toBe(broken);
    await expect(pool.query('SELECT FROM added')).rejects.toThrow('does not exist');
    // Sequences, keys and partial indexes are there.
    const again =
      "INSERT INTO subscriptions (coach, state) SELECT coach, 'active' FROM subscriptions LIMIT 1";
    await expect(pool.query(again)).rejects.toThrow('one_active');
    await expect(pool.query('DELETE FROM coaches')).rejects.toThrow('foreign key');

    const later = await buffer(dumpPostgres(url));
    expect(later.includes('before_restore')).toBe(false);
    await forgetPostgres(url, KEPT);
    await expect(digest(KEPT)).rejects.toThrow('does not exist');
    await expect(forgetPostgres(url, KEPT)).rejects.toThrow(`the database has no schema ${KEPT}`);
    await restorePostgres(url, chunksOf(later), KEPT);
    expect(await digest()).toBe(before);
  });

  it('that was cut off changes nothing', async () => {
    const { url, pool, digest } = await aBillingDatabase();
    const dump = await buffer(dumpPostgres(url));
    await pool.query("UPDATE subscriptions SET state = 'ended'");
    const present = await digest();
    for (const part of [0.3, 0.6, 0.95]) {
      const cut = dump.subarray(0, Math.floor(dump.length * part));
      await expect(restorePostgres(url, chunksOf(cut), KEPT)).rejects.toThrow('pg_restore ended with code 1');
    }
    expect(await digest()).toBe(present);
    await expect(digest(KEPT)).rejects.toThrow('does not exist');
  });

  it('whose source fails changes nothing', async () => {
    const { url, digest } = await aBillingDatabase();
    const dump = await buffer(dumpPostgres(url));
    async function* failing() {
      yield* chunksOf(dump);
      throw new Error('age has failed');
    }
    await expect(restorePostgres(url, failing(), KEPT)).rejects.toThrow('age has failed');
    await expect(digest(KEPT)).rejects.toThrow('does not exist');
  });
});
