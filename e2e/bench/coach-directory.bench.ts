import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@pulso/embedded/postgres/postgres-server';
import type { CoachSearch } from '@pulso/identity/store/coach-search';
import { KnownTokens } from '@pulso/platform/events/known-tokens';
import { Commits } from '@pulso/platform/events/outbox/commits';
import { Statements } from '@pulso/platform/postgres/statements';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { systemClock } from '@pulso/platform/time/clock';
import { CoachRepository } from '@pulso/identity/store/coach.repository';
import { DirectoryRows } from '@pulso/identity/store/directory-rows';
import { SPECIALTY_OPTIONS } from '@pulso/identity/directory/specialty-options';
import { CreateDirectory1764100000000 } from '@pulso/identity/migrations/create-directory.migration';
import { identity } from '@pulso/identity/service';
import type { PostgresStore } from '@pulso/platform/postgres/postgres-store';
import { Dice, uuidV7 } from '@pulso/platform/testing/seeded';
import { Client } from 'pg';
import { DataSource } from 'typeorm';

const COACHES = 100_000;
const LOOK_UPS = 20;
const PAGE = 20;
const QUERIES_OF_A_KIND = 60;
/** The maximum time of one search, in rounds of look-ups. */
const ALLOWED_RATIO = 5;

const FIRST_NAMES =
  'María José Juan Luis Ana Sofía Zoë Björn Anna Carlos Diego Elena Fátima Gabriel Hugo Inés Jorge Karla Laura Miguel Noah Olivia Pedro Quentin Raúl Sara Tomás Úrsula Víctor Walter Ximena Yara Zaida Marta Mario'.split(
    ' ',
  );
const LAST_NAMES =
  'García Martínez López Núñez Hernández Peña Smith Johnson Müller Kowalski Silva Santos Rossi Dubois Ivanov Tanaka Nguyen Patel Ramírez Ortiz'.split(
    ' ',
  );
const COMMON_WORDS =
  'strength training coach certified nutrition plans years experience helping athletes reach goals personal online sessions marathon runner mobility yoga flow breathing mindset recovery competitive weight loss programs beginners advanced kettlebell endurance cycling triathlon technique entrenador nutrición fuerza'.split(
    ' ',
  );

interface Percentiles {
  p50: number;
  p95: number;
}

interface Waits extends Percentiles {
  longest: number;
  count: number;
}

export interface CoachDirectoryFigures {
  coaches: number;
  migrateMs: number;
  /** How long each read and each change of a user took while the migration ran. */
  whileMigrating: { reads: Waits; writes: Waits };
  lookUps: Percentiles;
  kinds: Record<string, Percentiles>;
  all: Percentiles;
  /** p95 of all searches divided by p95, and by p50, of a round of look-ups. */
  ratio: number;
  ratioToMedian: number;
  allowedRatio: number;
}

interface Coach {
  id: string;
  name: string;
  bio: string;
  specialties: string[];
}

type Search = Pick<CoachSearch, 'text' | 'specialty'>;

/**
 * Searches of the coach directory over 100,000 coaches, through the service's repository, compared with rounds of 20
 * sequential look-ups of a user by id; both alternate in the same run. Milliseconds as the service measures them.
 */
export async function runCoachDirectoryBench(coaches = COACHES): Promise<CoachDirectoryFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'pulso-directory-'));
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ directory: join(folder, 'postgres'), password: 'bench' });
  try {
    return await measure(postgres.url, coaches);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(url: string, count: number): Promise<CoachDirectoryFigures> {
  const identityStore = identity.store as PostgresStore;
  const target = { service: 'identity', setting: 'IDENTITY_DATABASE_URL', url, pool: 2 };
  const options = identityStore.dataSourceOptions(target);
  const migrations = options.migrations as (new () => object)[];
  // The rows are inserted before the directory's migration, so that the migration has to fill them in.
  const before = await new DataSource({
    ...options,
    migrations: migrations.slice(0, migrations.indexOf(CreateDirectory1764100000000)),
    extra: {},
  }).initialize();
  await before.runMigrations({ transaction: 'each' });
  const dice = new Dice(7);
  const coaches = Array.from({ length: count }, (_, index) => aCoach(dice, index));
  await store(before, coaches);
  await before.destroy();
  let migrating = true;
  const meanwhile = useWhile(() => migrating, url, coaches);
  const migrateMs = await timed(() => identityStore.migrate(target).finally(() => (migrating = false)));
  const whileMigrating = await meanwhile;

  const dataSource = await new DataSource(options).initialize();
  try {
    await dataSource.query('VACUUM ANALYZE users');
    return report(
      count,
      { migrateMs: Math.round(migrateMs), whileMigrating },
      await samples(dataSource, coaches, dice),
    );
  } finally {
    await dataSource.destroy();
  }
}

/** Reads and changes users one after the other until the migration has ended. */
async function useWhile(migrating: () => boolean, url: string, coaches: readonly Coach[]) {
  const [reads, writes]: [number[], number[]] = [[], []];
  const client = new Client(url);
  await client.connect();
  for (let turn = 0; migrating(); turn += 1) {
    const { id } = coaches[(turn * 7919) % coaches.length]!;
    reads.push(await timed(() => client.query('SELECT * FROM users WHERE id = $1', [id])));
    writes.push(await timed(() => client.query("UPDATE users SET bio = bio || ' ' WHERE id = $1", [id])));
  }
  await client.end();
  const waits = (times: number[]): Waits => ({
    ...percentiles(times),
    longest: Math.round(Math.max(...times)),
    count: times.length,
  });
  return { reads: waits(reads), writes: waits(writes) };
}

async function samples(dataSource: DataSource, coaches: Coach[], dice: Dice) {
  const commits = new Commits({ nudge: () => undefined }, new KnownTokens(), systemClock);
  const pages = new DirectoryRows(new InProcessSignals(), commits, systemClock);
  // What is measured is the store: from now on nothing comes from memory.
  pages.close();
  const repository = new CoachRepository(dataSource, new Statements(dataSource), pages);
  const lookUps: number[] = [];
  const kinds: Record<string, number[]> = {};
  const lookUp = async () => {
    for (let round = 0; round < LOOK_UPS; round += 1) {
      await dataSource.query('SELECT * FROM users WHERE id = $1', [dice.pick(coaches).id]);
    }
  };
  const search = (wanted: Search) =>
    repository.search({ ...wanted, viewerId: null, after: undefined, limit: PAGE + 1 });
  const searches = searchesOf(dice, coaches);
  for (const [, wanted] of searches.slice(0, 20)) await search(wanted);
  for (const [kind, wanted] of searches) {
    (kinds[kind] ??= []).push(await timed(() => search(wanted)));
    lookUps.push(await timed(lookUp));
  }
  return { lookUps, kinds };
}

/** Searches of 3 letters and more of every kind that users type, shuffled. */
function searchesOf(dice: Dice, coaches: Coach[]): [string, Search][] {
  const anyText = (text: string): Search => ({ text, specialty: '' });
  const part = (text: string): string => {
    const chars = [...text.replaceAll('\n', ' ')];
    const length = Math.min(chars.length, 3 + dice.below(10));
    const start = dice.below(chars.length - length + 1);
    const cut = chars
      .slice(start, start + length)
      .join('')
      .trim();
    return cut.length < 3 ? part(text) : cut;
  };
  const kinds: Record<string, () => Search> = {
    'first name': () => anyText(dice.pick(FIRST_NAMES)),
    'last name': () => anyText(dice.pick(LAST_NAMES)),
    'part of a name': () => anyText(part(dice.pick(coaches).name)),
    'part of a bio': () => anyText(part(dice.pick(coaches).bio)),
    'common word': () => anyText(dice.pick(COMMON_WORDS)),
    'two common words': () => anyText(`${dice.pick(COMMON_WORDS)} ${dice.pick(COMMON_WORDS)}`),
    'specialty by name': () => anyText(dice.pick(SPECIALTY_OPTIONS)),
    nobody: () => anyText(aWord(dice, 3 + dice.below(6))),
    'word and specialty': () => ({
      text: dice.pick(COMMON_WORDS),
      specialty: dice.pick(SPECIALTY_OPTIONS),
    }),
    'name and specialty': () => ({
      text: dice.pick(FIRST_NAMES),
      specialty: dice.pick(SPECIALTY_OPTIONS),
    }),
  };
  const all = Object.entries(kinds).flatMap(([kind, make]) =>
    Array.from({ length: QUERIES_OF_A_KIND }, (): [string, Search] => [kind, make()]),
  );
  return all
    .map((search) => ({ search, at: dice.below(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ search }) => search);
}

function aCoach(dice: Dice, index: number): Coach {
  const name =
    index % 5 === 0
      ? `Coach ${index}`
      : `${dice.pick(FIRST_NAMES)} ${dice.pick(LAST_NAMES)} ${aWord(dice, 6)}`;
  const words = Array.from({ length: 10 + dice.below(50) }, () =>
    dice.below(3) === 0 ? aWord(dice, 3 + dice.below(7)) : dice.pick(COMMON_WORDS),
  );
  const specialties = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(SPECIALTY_OPTIONS));
  return {
    id: uuidV7(1_763_000_000_000 + index, dice.below(2 ** 30), dice.below(2 ** 32)),
    name,
    bio: words.join(' '),
    specialties,
  };
}

/** Alternates consonants and vowels, so that parts of a word occur in other words, too. */
const aWord = (dice: Dice, length: number): string =>
  Array.from({ length }, (_, at) => dice.pick([...(at % 2 === 0 ? 'bcdfglmnprstvz' : 'aeiou')])).join('');

async function store(dataSource: DataSource, coaches: readonly Coach[]): Promise<void> {
  for (let start = 0; start < coaches.length; start += 1_000) {
    await dataSource.query(
      `INSERT INTO users (id, email, password_hash, name, username, bio, specialties, is_coach, version, created_at, updated_at)
       SELECT (coach ->> 'id')::uuid, (coach ->> 'id') || '@example.org', repeat('x', 97), coach ->> 'name',
         coach ->> 'id', coach ->> 'bio', ARRAY(SELECT DISTINCT jsonb_array_elements_text(coach -> 'specialties')),
         true, 1, now(), now()
       FROM jsonb_array_elements($1::jsonb) AS coach`,
      [JSON.stringify(coaches.slice(start, start + 1_000))],
    );
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function percentiles(samplesMs: readonly number[]): Percentiles {
  const sorted = samplesMs.toSorted((a, b) => a - b);
  const at = (part: number) => Number(sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(2));
  return { p50: at(0.5), p95: at(0.95) };
}

function report(
  coaches: number,
  migration: Pick<CoachDirectoryFigures, 'migrateMs' | 'whileMigrating'>,
  measured: { lookUps: number[]; kinds: Record<string, number[]> },
): CoachDirectoryFigures {
  const lookUps = percentiles(measured.lookUps);
  const kinds = Object.fromEntries(
    Object.entries(measured.kinds).map(([kind, times]) => [kind, percentiles(times)]),
  );
  const all = percentiles(Object.values(measured.kinds).flat());
  const ratio = (yardstick: number) => Number((all.p95 / yardstick).toFixed(2));
  const ratios = {
    ratio: ratio(lookUps.p95),
    ratioToMedian: ratio(lookUps.p50),
    allowedRatio: ALLOWED_RATIO,
  };
  const figures = { coaches, ...migration, lookUps, kinds, all, ...ratios };
  console.table({ [`${LOOK_UPS} look-ups by id`]: lookUps, ...kinds, all });
  return figures;
}
