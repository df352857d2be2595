import { CoachOrder } from '@pulso/contracts/identity/v1/identity';
import { userFiguresTopic } from '@pulso/contracts/topics/social';
import { republish } from '@pulso/platform/events/republish';
import type { DomainError } from '@pulso/platform/errors/domain-error';
import { seeded } from '@pulso/platform/testing/seeded';
import { CoachRepository } from '../src/store/coach.repository.js';
import {
  type Asked,
  allPages,
  aCoachRow,
  type CoachRow,
  expectedIds,
  listCoaches,
  storeCoaches,
} from './support/directory.js';
import { Identity } from './start.js';

const COACHES = 300;
const VIEWER = '019a0000-0000-7000-9000-0000000000ff';

interface Figures {
  followerCount: number;
  ratingSum: number;
  reviewCount: number;
}

const chance = seeded(23);
const below = (limit: number) => Math.floor(chance() * limit);
const NONE: Figures = { followerCount: 0, ratingSum: 0, reviewCount: 0 };

let identity: Identity;
let coaches: CoachRow[];
let figures: Map<string, Figures>;
let version: number;

beforeEach(async () => {
  identity = await Identity.start();
  version = 1;
  figures = new Map();
  coaches = Array.from({ length: COACHES }, (_, index) =>
    aCoachRow({
      name: `Coach ${['Ana', 'Ben', 'Zoë'][index % 3]} ${index}`,
      bio: below(3) === 0 ? 'marathon and yoga' : 'strength',
      specialties: below(4) === 0 ? ['Boxing'] : [],
      isCoach: below(20) > 0,
      status: below(20) > 0 ? 'active' : 'suspended',
    }),
  );
  await storeCoaches((sql, values) => identity.service.tamper(sql, values), coaches);
});
afterEach(() => identity.stop());

/** Publishes new figures in social's place; with few values, so that many are equal. */
async function change({ id }: CoachRow, changed: Partial<Figures>): Promise<void> {
  const state = { ...(figures.get(id) ?? NONE), ...changed };
  figures.set(id, state);
  version += 1;
  await identity.service.tell(userFiguresTopic, { userId: id, version, ...state });
}

const someFigures = (): Figures => {
  const reviewCount = below(3);
  return { followerCount: below(3), ratingSum: reviewCount * (1 + below(5)), reviewCount };
};

/** Rule PEOPLE-15, by a plain sort of what PEOPLE-14 finds. */
function expectedByMerit(asked: Asked, hidden?: ReadonlySet<string>): string[] {
  const of = (id: string) => figures.get(id) ?? NONE;
  return expectedIds(coaches, asked, hidden).sort(
    (a, b) =>
      of(b).ratingSum - of(a).ratingSum ||
      of(b).followerCount - of(a).followerCount ||
      (a < b ? -1 : a > b ? 1 : 0),
  );
}

const MERIT = { order: CoachOrder.COACH_ORDER_MERIT };
const SEARCHES: Asked[] = [
  {},
  { q: 'yoga' },
  { q: 'zoe 2' },
  { specialty: 'Boxing' },
  { q: 'ana', specialty: 'Boxing' },
];

// Rule: PEOPLE-15
describe('the directory by merit', () => {
  it('lists by rating × reviews, then followers, then id, with every filter and for every viewer', async () => {
    for (const coach of coaches) if (below(2) === 0) await change(coach, someFigures());
    const hidden = new Set(coaches.filter((_, index) => index % 9 === 0).map(({ id }) => id));
    await identity.rows(
      `INSERT INTO known_blocks (blocker_id, blocked_id, active, version)
       SELECT $1, blocked, true, 1 FROM unnest($2::uuid[]) AS blocked`,
      [VIEWER, [...hidden]],
    );
    for (const asked of SEARCHES) {
      const limit = 1 + below(40);
      const expected = expectedByMerit(asked);
      expect(expected.length).toBeGreaterThan(0);
      expect(await allPages(identity, { ...asked, ...MERIT, limit })).toEqual(expected);
      expect(await allPages(identity, { ...asked, ...MERIT, limit }, VIEWER)).toEqual(
        expectedByMerit(asked, hidden),
      );
      expect(await allPages(identity, { ...asked, limit })).toEqual(expectedIds(coaches, asked));
    }
  });

  it('keeps its order from page to page, whatever happens to merits and coaches meanwhile', async () => {
    for (const coach of coaches.slice(0, 60)) await change(coach, someFigures());
    for (const asked of SEARCHES.slice(0, 3)) {
      const expected = expectedByMerit(asked);
      const ids: string[] = [];
      let cursor = '';
      do {
        const page = await listCoaches(identity, { ...asked, ...MERIT, limit: 12, cursor });
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
        // The last become the first, twice, and a coach is new.
        for (const id of expected.slice(-2)) {
          const coach = coaches.find((one) => one.id === id)!;
          await change(coach, { ratingSum: 100 + below(50), reviewCount: 50 });
          await change(coach, { followerCount: below(1_000) });
        }
        const added = aCoachRow({ bio: 'marathon and yoga', name: 'Zoë 2 Coach' });
        await storeCoaches((sql, values) => identity.service.tamper(sql, values), [added]);
        coaches.push(added);
      } while (cursor !== '');
      expect(ids).toEqual(expected);
      // A new list has the new order.
      expect(await allPages(identity, { ...asked, ...MERIT, limit: 100 })).toEqual(expectedByMerit(asked));
    }
  });

  it('follows the coach flag: figures of members count when they become coaches', async () => {
    const coach = await identity.signUp({ isCoach: false });
    const row = aCoachRow({ id: coach.user.id, name: coach.user.name });
    await change(row, { ratingSum: 999, reviewCount: 200 });
    const first = async () => (await listCoaches(identity, { ...MERIT, limit: 1 })).items[0]!.id;
    expect(await first()).not.toBe(row.id);
    await identity.service.tamper('UPDATE users SET is_coach = true WHERE id = $1', [row.id]);
    expect(await first()).toBe(row.id);
    await identity.service.tamper("UPDATE users SET status = 'suspended' WHERE id = $1", [row.id]);
    expect(await first()).not.toBe(row.id);
  });

  it('is corrected by a republication of the figures', async () => {
    for (const coach of coaches) if (below(3) === 0) await change(coach, someFigures());
    await identity.rows("UPDATE known_figures SET rating_sum = 77, changed_at = '-infinity'");
    const [stray] = coaches.filter(
      ({ id, isCoach, status }) => !figures.has(id) && isCoach && status === 'active',
    );
    await identity.rows('INSERT INTO known_figures VALUES ($1, 1000, 1000, 200, 1)', [stray!.id]);
    await identity.rows("UPDATE known_figures SET changed_at = '-infinity'");
    expect((await listCoaches(identity, { ...MERIT, limit: 1 })).items[0]!.id).toBe(stray!.id);
    const held = await identity.rows<{ id: string; version: string }>(
      'SELECT user_id AS id, version FROM known_figures WHERE user_id <> $1',
      [stray!.id],
    );
    async function* states() {
      for (const { id, version } of held) yield { userId: id, version: Number(version), ...figures.get(id)! };
    }
    await republish({ topic: userFiguresTopic, states: states(), bus: identity.service.bus });
    await identity.service.drainEvents();
    expect(await allPages(identity, { ...MERIT, limit: 100 })).toEqual(expectedByMerit({}));
  });

  it('binds cursors to the order', async () => {
    const { nextCursor } = await listCoaches(identity, { ...MERIT, limit: 1 });
    const other = listCoaches(identity, { cursor: nextCursor });
    await expect(other).rejects.toMatchObject({ code: 'invalid-cursor' } satisfies Partial<DomainError>);
  });

  it('keeps replaced merits for half an hour', async () => {
    await change(coaches[0]!, { ratingSum: 5, reviewCount: 1 });
    const count = async () => (await identity.rows('SELECT FROM former_merits')).length;
    const before = await count();
    await identity.get(CoachRepository).purgeFormerMerits(new AbortController().signal);
    expect(await count()).toBe(before);
    await identity.rows("UPDATE former_merits SET until = until - interval '31 minutes'");
    await identity.get(CoachRepository).purgeFormerMerits(new AbortController().signal);
    expect(await count()).toBe(0);
  });
});
