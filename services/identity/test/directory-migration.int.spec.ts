import { Client } from 'pg';
import type { PostgresStore } from '@pulso/platform/postgres/postgres-store';
import { aPostgresDatabase, type TestDatabase } from '@pulso/platform/testing/databases';
import { until } from '@pulso/platform/testing/until';
import { DataSource } from 'typeorm';
import { CompareTexts1765000000000 } from '../src/migrations/compare-texts.migration.js';
import { CreateDirectory1764100000000 } from '../src/migrations/create-directory.migration.js';
import { identity as definition } from '../src/service.js';
import { aCoachRow, type CoachRow, fold, storeCoaches } from './support/directory.js';

/** So many that others write while an index is built. */
const COACHES = Number(process.env['DIRECTORY_MIGRATION_COACHES'] ?? 1_200);
/** More than one batch of the migration takes. */
const TWO_BATCHES = 600;
const SOME = 50;
const LONG_BIO = 'strength and yoga for marathon runners who recover online with a plan of their own '.repeat(
  4,
);

let database: TestDatabase;
let client: Client;
let coaches: CoachRow[];

const store = definition.store as PostgresStore;
const target = () => ({
  service: 'identity',
  setting: 'IDENTITY_DATABASE_URL',
  url: database.url,
  pool: 1,
});

/** Migrates a new database with these migrations alone. */
async function migrateOnly(migrations: readonly (new () => object)[]): Promise<void> {
  const options = { ...store.dataSourceOptions(target()), migrations: [...migrations], extra: {} };
  const dataSource = await new DataSource(options).initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  await dataSource.destroy();
}

const all = () => store.dataSourceOptions(target()).migrations as (new () => object)[];

beforeEach(async () => {
  database = await aPostgresDatabase('identity');
  client = new Client(database.url);
  await client.connect();
  await migrateOnly(all().slice(0, all().indexOf(CreateDirectory1764100000000)));
});
afterEach(async () => {
  await client?.end();
  await database?.drop();
});

async function storeUsers(count: number): Promise<void> {
  coaches = Array.from({ length: count }, (_, index) =>
    aCoachRow({ name: `Zoë ${index}`, bio: LONG_BIO, specialties: ['Vela'], isCoach: index % 10 > 0 }),
  );
  await storeCoaches((sql, values) => client.query(sql, values), coaches);
}

/** How far the migration has come, by what other sessions see of it. */
const PROGRESS = `(SELECT concat_ws(' ',
  CASE WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'users'::regclass AND attname = 'folded_about')
    THEN 'columns' END,
  (SELECT 'building' FROM pg_index WHERE indexrelid = to_regclass('users_directory_about_idx') AND NOT indisvalid),
  (SELECT 'built' FROM pg_index WHERE indexrelid = to_regclass('users_directory_specialties_idx') AND indisvalid))
  ) AS progress`;

const folded = async () =>
  (
    await client.query<{ id: string; name: string | null; about: string | null }>(
      'SELECT id, folded_name AS name, folded_about AS about FROM users ORDER BY id',
    )
  ).rows;

/** Until people search came, names of members were not folded. */
const expectedFolded = (names: 'all' | 'of coaches' = 'all') =>
  coaches.map(({ id, name, bio, specialties, isCoach }) => ({
    id,
    name: isCoach || names === 'all' ? fold(name) : null,
    about: isCoach ? fold([bio, ...specialties].join('\n')) : null,
  }));

it('is made while users are read and written, and takes all of their changes into account', async () => {
  await storeUsers(COACHES);
  let migrating = true;
  const migration = store.migrate(target()).finally(() => (migrating = false));
  const seen = new Set<string>();
  for (let turn = 0; migrating; turn += 1) {
    const coach = coaches[(turn * 7919) % COACHES]!;
    Object.assign(coach, {
      name: `Núria ${turn}`,
      bio: `Número ${turn}`,
      specialties: [`Número ${turn % 50}`],
      isCoach: turn % 5 > 0,
    });
    const { rows } = await client.query<{ progress: string }>(
      `UPDATE users SET name = $2, bio = $3, specialties = $4, is_coach = $5 WHERE id = $1 RETURNING ${PROGRESS}`,
      [coach.id, coach.name, coach.bio, coach.specialties, coach.isCoach],
    );
    seen.add(rows[0]!.progress);
  }
  await migration;
  // Writes were done after the columns came and while an index was built: nothing is locked from end to end.
  expect([...seen]).toEqual(expect.arrayContaining(['columns', 'columns building']));

  expect(await folded()).toEqual(expectedFolded());
  const { rows } = await client.query<{ pair: string }>(
    "SELECT user_id || ' ' || specialty AS pair FROM user_specialties",
  );
  expect(rows.map(({ pair }) => pair).sort()).toEqual(
    coaches
      .filter(({ isCoach }) => isCoach)
      .flatMap(({ id, specialties }) => specialties.map((one) => `${id} ${one}`))
      .sort(),
  );
  const { rows: listed } = await client.query<{ id: string }>(
    'SELECT user_id AS id FROM coach_merits ORDER BY id',
  );
  expect(listed.map(({ id }) => id)).toEqual(coaches.filter(({ isCoach }) => isCoach).map(({ id }) => id));
});

it('can be repeated after an interruption at any statement', async () => {
  await storeUsers(TWO_BATCHES);
  const options = { ...store.dataSourceOptions(target()), extra: {} };
  const dataSource = await new DataSource(options).initialize();
  try {
    let statements = 0;
    for (let failAt = 1; ; failAt += 3) {
      const runner = dataSource.createQueryRunner();
      statements = 0;
      const limited = new Proxy(runner, {
        get: (real, name) =>
          name !== 'query'
            ? (Reflect.get(real, name) as unknown)
            : (sql: string, values?: unknown[]) => {
                statements += 1;
                if (statements === failAt) throw new Error('interrupted');
                return real.query(sql, values) as Promise<unknown>;
              },
      });
      try {
        await new CreateDirectory1764100000000().up(limited);
        break;
      } catch (error) {
        expect((error as Error).message).toBe('interrupted');
      } finally {
        await runner.release();
      }
    }
    expect(statements).toBeGreaterThan(20);
    expect(await folded()).toEqual(expectedFolded('of coaches'));
  } finally {
    await dataSource.destroy();
  }
});

it('gives the triggers to databases that have generated columns', async () => {
  await storeUsers(SOME);
  await migrateOnly(
    all().filter(({ name }) => !/^(FoldByTrigger|KeepMerits|SearchPeople|CompareTexts)/.test(name)),
  );
  await client.query('DROP TRIGGER users_directory_added ON users');
  await client.query('DROP TRIGGER users_directory_changed ON users');
  await client.query('ALTER TABLE users DROP folded_name, DROP folded_about');
  await client.query(`
    ALTER TABLE users
      ADD folded_name text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN is_coach THEN fold_text(name) END) STORED,
      ADD folded_about text COLLATE "C"
        GENERATED ALWAYS AS (CASE WHEN is_coach THEN directory_about(bio, specialties) END) STORED`);
  await store.migrate(target());
  const [first, second] = coaches as [CoachRow, CoachRow];
  Object.assign(first, { isCoach: true });
  Object.assign(second, { name: 'Ñandú', isCoach: true });
  await client.query('UPDATE users SET is_coach = true WHERE id = $1', [first.id]);
  await client.query('UPDATE users SET name = $2 WHERE id = $1', [second.id, second.name]);
  expect(await folded()).toEqual(expectedFolded());
});

// Rule: PEOPLE-11, PEOPLE-14
it('makes one specialty of those that differ in form alone, and folds again what is searched in more forms', async () => {
  await migrateOnly(all().slice(0, all().indexOf(CompareTexts1765000000000)));
  const [composed, decomposed] = ['Natación', 'Natacio\u0301n'];
  coaches = [
    aCoachRow({ name: 'Łukasz', bio: 'Straße', specialties: [composed, 'Boxing', decomposed] }),
    aCoachRow({ specialties: [decomposed] }),
    aCoachRow({ specialties: ['NATACIÓN', 'Core \u00a0 work'] }),
    aCoachRow({ name: 'Łucja', specialties: [composed], isCoach: false }),
    ...Array.from({ length: TWO_BATCHES }, () => aCoachRow({ specialties: ['yoga'] })),
  ];
  await storeCoaches((sql, values) => client.query(sql, values), coaches);
  for (let time = 0; time < 2; time += 1) {
    await store.migrate(target());
    const { rows } = await client.query<{ specialties: string[] }>(
      'SELECT specialties FROM users ORDER BY id',
    );
    const stored = [[composed, 'Boxing'], [composed], ['NATACIÓN', 'Core work'], [composed]];
    expect(rows.slice(0, 4).map(({ specialties }) => specialties)).toEqual(stored);
    for (const [index, specialties] of stored.entries()) coaches[index]!.specialties = specialties;
    expect(await folded()).toEqual(expectedFolded());
    const keys = await client.query<{ key: string; coaches: number }>(
      'SELECT key, count(*)::int AS coaches FROM user_specialties GROUP BY key ORDER BY key',
    );
    expect(keys.rows).toEqual([
      { key: 'boxing', coaches: 1 },
      { key: 'core work', coaches: 1 },
      { key: 'natación', coaches: 3 },
      { key: 'yoga', coaches: TWO_BATCHES },
    ]);
  }
  // The version before saves users meanwhile.
  await client.query('UPDATE users SET specialties = $2 WHERE id = $1', [coaches[1]!.id, ['NATACIO\u0301N']]);
  const { rows } = await client.query('SELECT key FROM user_specialties WHERE user_id = $1', [
    coaches[1]!.id,
  ]);
  expect(rows).toEqual([{ key: 'natación' }]);
});

it('lets no write of a user go on with the trigger of the version before', async () => {
  const before = all().indexOf(CompareTexts1765000000000);
  await migrateOnly(all().slice(0, before));
  await storeUsers(SOME);
  const replacing = new Client(database.url);
  const writing = new Client(database.url);
  await Promise.all([replacing.connect(), writing.connect()]);
  try {
    // The migration stops between its two statements: its trigger waits for this one.
    const { rows } = await client.query<{ text: string }>(
      "SELECT pg_get_functiondef('keep_user_specialties'::regproc) AS text",
    );
    await replacing.query('BEGIN');
    await replacing.query(rows[0]!.text);
    const migration = migrateOnly(all().slice(0, before + 1));
    await waiting("query LIKE '%keep_user_specialties()%'");
    const write = writing.query(
      "UPDATE users SET specialties = '{Natación}', is_coach = true WHERE id = $1",
      [coaches[0]!.id],
    );
    await waiting("query LIKE 'UPDATE users%'");
    await replacing.query('ROLLBACK');
    await Promise.all([migration, write]);
  } finally {
    await Promise.all([replacing.end(), writing.end()]);
  }
  const { rows } = await client.query('SELECT key FROM user_specialties WHERE user_id = $1', [
    coaches[0]!.id,
  ]);
  expect(rows).toEqual([{ key: 'natación' }]);
});

/** Resolves when a statement of the database waits for a lock. */
const waiting = (statement: string) =>
  until(
    async () => {
      const { rows } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND ${statement}`,
      );
      return rows.length > 0;
    },
    { what: `a statement that waits for a lock: ${statement}` },
  );
