import { Client } from 'pg';
import type { PostgresStore } from '@pulso/platform/postgres/postgres-store';
import { aPostgresDatabase } from '@pulso/platform/testing/databases';
import { comparisonKey, searchKey } from '@pulso/platform/text/comparison-key';
import { seeded } from '@pulso/platform/testing/seeded';
import { DataSource } from 'typeorm';
import { type CoachSearch, type Statement, askIndex, lookThrough } from '../src/store/coach-search.js';
import { identity as definition } from '../src/service.js';
import { type CoachRow, aCoachRow, allPages, expectedIds, fold, storeCoaches } from './support/directory.js';
import { Identity } from './start.js';

const COACHES = 5_000;
const VIEWER = '019a0000-0000-7000-9000-0000000000ff';
const WORDS =
  'strength yoga flow nutrición entrenador marathon año coach recovery mindset fuerza online zen'.split(' ');
const FIRST = 'Ana José Zoë Björn María Mario Coach Émile Noah Yara'.split(' ');
const SPECIALTIES = ['Yoga', 'Boxing', 'HIIT', 'Running', 'Vela'];

const chance = seeded(11);
const below = (limit: number) => Math.floor(chance() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const word = (length: number) => Array.from({ length }, () => pick([...'abcdeéilmnñorstuz'])).join('');

function someCoach(_: unknown, index: number): CoachRow {
  return aCoachRow({
    name: `${pick(FIRST)} ${word(3 + below(5))} ${index % 7 === 0 ? index : ''}`.trim(),
    bio: Array.from({ length: below(12) }, () => (below(4) === 0 ? word(2 + below(6)) : pick(WORDS))).join(
      ' ',
    ),
    specialties: [...new Set(Array.from({ length: below(4) }, () => pick(SPECIALTIES)))],
    isCoach: below(50) > 0,
    status: below(50) > 0 ? 'active' : pick(['suspended', 'deleted']),
  });
}

let identity: Identity;
const coaches = Array.from({ length: COACHES }, someCoach);
const hidden = new Set(coaches.filter((_, index) => index % 9 === 0).map(({ id }) => id));

beforeAll(async () => {
  identity = await Identity.start();
  await storeCoaches((sql, values) => identity.service.tamper(sql, values), coaches);
  // The plans below depend on these statistics, so nothing else may take any.
  await identity.rows('ALTER TABLE users SET (autovacuum_enabled = false)');
  await identity.rows('ALTER TABLE user_specialties SET (autovacuum_enabled = false)');
  await identity.rows('ANALYZE users');
  const pairs = [...hidden].map((id, index) => (index % 2 === 0 ? [VIEWER, id] : [id, VIEWER]));
  await identity.rows(
    `INSERT INTO known_blocks (blocker_id, blocked_id, active, version)
     SELECT *, true, 1 FROM unnest($1::uuid[], $2::uuid[])`,
    [pairs.map(([blocker]) => blocker), pairs.map(([, blocked]) => blocked)],
  );
});
afterAll(() => identity?.stop());

const run = ({ sql, parameters }: Statement) => identity.rows<{ id: string }>(sql, parameters);
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

/** Queries of every length taken from the texts, common and rare, and some that match nothing. */
function someSearches(count: number): { q: string; specialty: string }[] {
  return Array.from({ length: count }, () => {
    const coach = pick(coaches);
    const text = pick([
      coach.name,
      coach.bio || coach.name,
      pick(WORDS),
      pick(FIRST),
      `${pick(WORDS)} ${pick(WORDS)}`,
    ]);
    const chars = [...text];
    const start = below(chars.length);
    const q = chars.slice(start, start + 1 + below(12)).join('');
    return { q: below(10) === 0 ? word(3) : q, specialty: below(3) === 0 ? pick(SPECIALTIES) : '' };
  });
}

// Rule: PEOPLE-14
it('finds what PEOPLE-14 says, in its order, by both the scan and the index', async () => {
  for (const { q, specialty } of someSearches(150)) {
    const viewerId = below(2) === 0 ? VIEWER : null;
    const expected = expectedIds(coaches, { q, specialty }, viewerId ? hidden : undefined);
    const start = below(expected.length + 1);
    const last = coaches.find(({ id }) => id === expected[start - 1]);
    const search: CoachSearch = {
      text: q.trim(),
      specialty,
      viewerId,
      after: last && { foldedName: fold(last.name), id: last.id },
      limit: 1 + below(30),
    };
    const page = expected.slice(start, start + search.limit);
    const filtered = search.text !== '' || specialty !== '';
    if (filtered) expect([search, ids(await run(askIndex(search)))]).toEqual([search, page]);
    const looked = ids(await run(lookThrough(search)));
    expect([search, looked]).toEqual([search, page.slice(0, looked.length)]);
    if (looked.length < page.length) expect(filtered).toBe(true);
  }
}, 180_000);

it('pages through everything once, with and without filters', async () => {
  for (const asked of [
    {},
    { q: 'a' },
    { q: 'coach' },
    { specialty: 'Vela' },
    { q: 'zo', specialty: 'Yoga' },
  ]) {
    expect(await allPages(identity, { ...asked, limit: 100 })).toEqual(expectedIds(coaches, asked));
  }
  const seen = await allPages(identity, { q: 'yoga', limit: 100 }, VIEWER);
  expect(seen).toEqual(expectedIds(coaches, { q: 'yoga' }, hidden));
});

async function planOf({ sql, parameters }: Statement): Promise<string> {
  const rows = await identity.rows<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS off) ${sql}`, parameters);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('the plan', () => {
  const search = { specialty: '', viewerId: VIEWER, after: undefined, limit: 21 };

  it.each(['q', 'zo', 'yog', 'yoga flow', 'nutricion', 'nobody at all has this'])(
    "of '%s' uses the indexes of texts and of the order",
    async (text) => {
      for (const specialty of ['', 'Vela']) {
        const plan = await planOf(askIndex({ ...search, text, specialty }));
        expect(plan).toContain('Bitmap Index Scan on users_directory_name_idx');
        expect(plan).toContain('Bitmap Index Scan on users_directory_about_idx');
        expect(plan).toMatch(/Index (Only )?Scan using users_directory_idx/);
        expect(plan).not.toContain('Seq Scan on users');
      }
      const looked = await planOf(lookThrough({ ...search, text }));
      expect(looked).toContain('Index Scan using users_directory_idx');
      expect(looked).not.toContain('Sort');
    },
  );

  it('of the whole directory reads one page of the order', async () => {
    const plan = await planOf(lookThrough({ ...search, text: '' }));
    expect(plan).toMatch(/Index (Only )?Scan using users_directory_idx/);
    expect(plan).not.toContain('Sort');
  });

  it('of specialties hops along their index', async () => {
    await identity.rows('ANALYZE user_specialties');
    const rows = await identity.rows<{ 'QUERY PLAN': string }>(
      'EXPLAIN SELECT key, specialty FROM user_specialties WHERE key > $1 ORDER BY key, specialty LIMIT 1',
      ['boxing'],
    );
    expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('using user_specialties_key_idx');
  });
});

/** Blocks of letters to which newer versions of Unicode add none. */
const BLOCKS = [
  ...[
    [0x20, 0x24f],
    [0x2b0, 0x3ff],
    [0x400, 0x52f],
    [0x591, 0x6ff],
    [0x904, 0x939],
    [0xe01, 0xe5b],
  ],
  ...[
    [0x1100, 0x11ff],
    [0x1e00, 0x20a0],
    [0x3000, 0x30ff],
    [0xac00, 0xac80],
    [0xf900, 0xf910],
    [0xfb00, 0xfb06],
    [0xfe00, 0xfe0f],
    [0xff00, 0xffdc],
  ],
] as [number, number][];

it('folds and compares in the database as the platform does', async () => {
  const letters = BLOCKS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  ).filter((letter) => /\p{Assigned}/u.test(letter));
  const texts = [
    ...FIRST,
    ...WORDS,
    ...['ŒUVRE', 'İstanbul', 'IŞIK ışık', 'ΑΣ ας', 'Ǆ ﬃ ½ Ⅷ', 'ＦＵＬＬ', 'Straße STRAẞE', 'Ё Й', '\u212b K'],
    ...[
      '  core \u00a0\t work ',
      'Łódź Þór Đỗ Ærø',
      '👩‍🚒 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      'می‌خواهم',
      'car\u00addio',
      'i\u0307\u0323',
      'a\n\u2028b',
    ],
    ...letters,
    ...letters.map((letter) => `a${letter}\u0301 ${letter}`),
  ];
  const rows = await identity.rows<{ folded: string; key: string }>(
    `SELECT fold_text(value) AS folded, comparison_key(value) AS key
     FROM unnest($1::text[]) WITH ORDINALITY AS t (value, at) ORDER BY at`,
    [texts],
  );
  const differing = texts.filter(
    (text, at) => rows[at]!.folded !== searchKey(text) || rows[at]!.key !== comparisonKey(text),
  );
  expect(differing).toEqual([]);
});

it('fills in existing rows, and can be reverted', async () => {
  const database = await aPostgresDatabase('identity');
  const store = definition.store as PostgresStore;
  const target = { service: 'identity', setting: 'IDENTITY_DATABASE_URL', url: database.url, pool: 1 };
  await store.migrate(target);
  const dataSource = await new DataSource(store.dataSourceOptions(target)).initialize();
  const client = new Client(database.url);
  await client.connect();
  try {
    // Its own, those that came later included.
    for (const applied of [
      'IndexAuditSubjects',
      'OpenErasureIntake',
      'RecordOsUsers',
      'KeepAudit',
      'AddErasures',
      'CreatePasskeys',
      'CreateOpenidLinks',
      'AddAccountMails',
      'CreateLeases',
      'CompareTexts',
      'FillPriceIntents',
      'HandPricesOver',
      'IndexLiveTokens',
      'AddMailSettings',
      'CreateStartPoints',
      'SearchPeople',
      'KeepMerits',
      'FoldByTrigger',
      'SuggestCoachesSpecialties',
      'LimitRenames',
      'IndexOutbox',
      'RebuildProjections',
      'CreateProjectionRebuilds',
      'CreateDirectory',
    ]) {
      const [{ name }] = await dataSource.query<[{ name: string }]>(
        'SELECT name FROM migrations ORDER BY id DESC LIMIT 1',
      );
      expect(name).toContain(applied);
      await dataSource.undoLastMigration({ transaction: 'each' });
    }
    const existing = coaches.slice(0, 50);
    await storeCoaches((sql, values) => client.query(sql, values), existing);
    await store.migrate(target);
    for (const text of ['yoga', 'ana', 'zz']) {
      const search = { text, specialty: '', viewerId: null, after: undefined, limit: 100 };
      const { sql, parameters } = askIndex(search);
      const { rows } = await client.query<{ id: string }>(sql, parameters);
      expect(ids(rows)).toEqual(expectedIds(existing, { q: text }));
    }
    const { rows } = await client.query('SELECT DISTINCT specialty FROM user_specialties');
    const active = existing.filter(({ status, isCoach }) => status === 'active' && isCoach);
    expect(rows).toHaveLength(new Set(active.flatMap(({ specialties }) => specialties)).size);
  } finally {
    await client.end();
    await dataSource.destroy();
    await database.drop();
  }
});
