import { jest } from '@jest/globals';
import { Cancellation } from '@pulso/platform/context/cancellation';
import { MAX_TURNS } from '@pulso/platform/paging/turns';
import { inContext } from '@pulso/platform/testing/context';
import { FollowLists } from '../src/follow/follow-lists.js';
import { BlockRepository } from '../src/store/block.repository.js';
import { FollowRepository } from '../src/store/follow.repository.js';
import { ReviewRepository } from '../src/store/review.repository.js';
import { type Person, Social, comments, names, summaryOf } from './start.js';

const LIMIT = 2;
const MANY = 600;
/** What a page looks at beyond its own rows: 100 a turn. */
const MOST_ROWS = LIMIT + 1 + (MAX_TURNS - 1) * 100;

let social: Social;
beforeAll(async () => (social = await Social.start()));
afterEach(() => void jest.restoreAllMocks());
afterAll(() => social?.stop());

interface List {
  repository: typeof FollowRepository | typeof ReviewRepository | typeof BlockRepository;
  /** Makes rows of `$1`'s list of the users `id`, at the times `at`. */
  rows: string;
  /** Brings a person into the list by a call. */
  add(person: Person, star: Person): Promise<unknown>;
  page(viewer: Person, star: Person, cursor: string): Promise<{ names: string[]; nextCursor: string }>;
  /** What hides the users `$1` from the reader `$2`, by its name. */
  hidden: [string, string][];
}

const BLOCK = (blocker: string, blocked: string) =>
  `INSERT INTO blocks (blocker_id, blocked_id, created_at, version) SELECT ${blocker}, ${blocked}, now(), 1 FROM unnest($1::uuid[]) id`;
const SUSPEND = "UPDATE known_users SET status = 'suspended' WHERE id = ANY($1) AND $2::uuid IS NOT NULL";
const HIDDEN: List['hidden'] = [
  ['suspended', SUSPEND],
  ['who have blocked the reader', BLOCK('id', '$2::uuid')],
  ['whom the reader has blocked', BLOCK('$2::uuid', 'id')],
];
const named = async (page: Promise<{ items: { name: string }[]; nextCursor: string }>) => {
  const { items, nextCursor } = await page;
  return { names: items.map(({ name }) => name), nextCursor };
};

const LISTS: Record<string, List> = {
  followers: {
    repository: FollowRepository,
    rows: 'INSERT INTO follows (follower_id, target_id, created_at, version) SELECT id, $1::uuid, at, 1',
    add: (person, star) => social.follow(person, star),
    page: (viewer, star, cursor) => named(social.followers(viewer, star, { limit: LIMIT, cursor })),
    hidden: HIDDEN,
  },
  following: {
    repository: FollowRepository,
    rows: 'INSERT INTO follows (follower_id, target_id, created_at, version) SELECT $1::uuid, id, at, 1',
    add: (person, star) => social.follow(star, person),
    page: (viewer, star, cursor) => named(social.following(viewer, star, { limit: LIMIT, cursor })),
    hidden: HIDDEN,
  },
  reviews: {
    repository: ReviewRepository,
    rows: `INSERT INTO reviews (id, coach_id, reviewer_id, rating, comment, created_at, updated_at, version)
      SELECT gen_random_uuid(), $1::uuid, id, 1, 'Bad', at, at, 1`,
    add: (person, star) => social.review(person, star, 5, person.name),
    page: async (viewer, star, cursor) => {
      const page = await social.reviews(viewer, star, { limit: LIMIT, cursor });
      return { names: comments(page), nextCursor: page.nextCursor };
    },
    hidden: HIDDEN,
  },
  blocks: {
    repository: BlockRepository,
    rows: 'INSERT INTO blocks (blocker_id, blocked_id, created_at, version) SELECT $1::uuid, id, at, 1',
    add: (person, star) => social.block(star, person),
    page: (_viewer, star, cursor) =>
      named(social.as(star, (client) => client.listBlocks({ limit: LIMIT, cursor }))),
    hidden: [['deleted', SUSPEND.replace('suspended', 'deleted')]],
  },
};

/** Users and their rows as calls would write them; many take too long by call. Three have the same millisecond. */
async function addMany({ rows }: List, star: Person): Promise<string[]> {
  const users = await social.rows<{ id: string }>(
    `INSERT INTO known_users (id, status, name, username, profile_image_id, is_coach, version)
     SELECT gen_random_uuid(), 'active', 'Hidden', 'hidden', '', false, 1 FROM generate_series(1, $1) RETURNING id`,
    [MANY],
  );
  const ids = users.map(({ id }) => id);
  await social.service.tamper(
    `${rows} FROM (
       SELECT id, $3::timestamptz + (place / 3) * interval '1 ms' AS at FROM unnest($2::uuid[]) WITH ORDINALITY AS many (id, place)
     ) AS many`,
    [star.id, ids, new Date(social.clock.now())],
  );
  social.clock.advance(MANY);
  return ids;
}

/** A user with a list: many who will be hidden, between three of whom everybody knows. */
async function aList(list: List) {
  const [star, viewer] = [await social.coach(), await social.person()];
  const shown: Person[] = [];
  const many: string[] = [];
  for (let part = 0; part < 3; part += 1) {
    if (part > 0) many.push(...(await addMany(list, star)));
    const person = await social.person();
    await list.add(person, star);
    shown.unshift(person);
    social.clock.advance(1);
  }
  return { star, viewer, many, shown: shown.map(({ name }) => name) };
}

/** Counts the rows that each query of the list returns. */
function counted({ repository }: List): Promise<number>[] {
  const reads: Promise<number>[] = [];
  const part = social.service.get<{ list(...all: unknown[]): Promise<unknown[]> }>(repository);
  const list = part.list.bind(part);
  jest.spyOn(part, 'list').mockImplementation((...all) => {
    const rows = list(...all);
    reads.push(rows.then(({ length }) => length));
    return rows;
  });
  return reads;
}

// Rule: HTTP-5, PEOPLE-20, PEOPLE-23, PEOPLE-31
describe.each(Object.entries(LISTS))('%s with many whom their reader may not see', (_name, list) => {
  it.each(list.hidden)(
    'look at a bounded number of rows for a page, and lead on: users %s',
    async (_kind, hide) => {
      const { star, viewer, many, shown } = await aList(list);
      await social.service.tamper(hide, [many, viewer.id]);
      const reads = counted(list);
      const pages: string[][] = [];
      let cursor = '';
      do {
        const { names: found, nextCursor } = await list.page(viewer, star, cursor);
        pages.push(found);
        cursor = nextCursor;
        const rows = await Promise.all(reads.splice(0));
        expect(rows.length).toBeLessThanOrEqual(MAX_TURNS);
        expect(rows.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(MOST_ROWS);
      } while (cursor !== '');
      expect(pages[0]).toEqual(shown.slice(0, 1));
      expect(pages.flat()).toEqual(shown);
    },
  );
});

// Rule: PEOPLE-30, PEOPLE-31
it('every page of reviews has the whole summary and the reader’s own review', async () => {
  const { star, viewer, many, shown } = await aList(LISTS.reviews!);
  await social.review(viewer, star, 3, 'Mine');
  await social.service.tamper(SUSPEND, [many, viewer.id]);
  await social.publishFigures();
  const first = await social.reviews(viewer, star, { limit: LIMIT });
  const second = await social.reviews(viewer, star, { limit: LIMIT, cursor: first.nextCursor });
  expect([comments(first), comments(second)]).toEqual([['Mine', shown[0]], [shown[1]]]);
  for (const page of [first, second]) {
    expect(summaryOf(page)).toEqual({ averageRating: 4.5, totalReviews: 4 });
    expect(page.mine!.comment).toBe('Mine');
  }
});

// Rule: HTTP-5
it('ends when nobody waits for the page any more', async () => {
  const list = LISTS.followers!;
  const { star, viewer, many } = await aList(list);
  await social.service.tamper(SUSPEND, [many, viewer.id]);
  const cancellation = new Cancellation();
  const reads = counted(list);
  const reading = inContext(
    null,
    () => social.service.get(FollowLists).read('followers', { userId: star.id, limit: LIMIT, cursor: '' }),
    { cancellation },
  );
  cancellation.end(new Error('left'));
  await expect(reading).rejects.toMatchObject({ code: 'unavailable' });
  expect(reads).toHaveLength(1);
  expect(names(await social.followers(viewer, star))).toHaveLength(1);
});
