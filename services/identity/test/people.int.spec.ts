import type { UserPage } from '@pulso/contracts/identity/v1/identity';
import { MAX_CURSOR_LENGTH } from '@pulso/contracts/limits';
import { blockTopic } from '@pulso/contracts/topics/social';
import { inContext } from '@pulso/platform/testing/context';
import { outcome } from '@pulso/platform/testing/outcomes';
import { Dice } from '@pulso/platform/testing/seeded';
import { ListPeople } from '../src/directory/list-people.js';
import { aCoachRow, type CoachRow, expectedIds, listCoaches, storeCoaches } from './support/directory.js';
import { Identity } from './start.js';

const VIEWER = '019a0000-0000-7000-9000-000000000001';
const OTHER = '019a0000-0000-7000-9000-000000000002';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
beforeEach(() => identity.rows('TRUNCATE users, known_blocks CASCADE'));
afterAll(() => identity?.stop());

const aMember = (fields: Partial<CoachRow> = {}) => aCoachRow({ isCoach: false, ...fields });
const store = (people: CoachRow[]) =>
  storeCoaches((sql, values) => identity.service.tamper(sql, values), people);

function search(
  q: string,
  asked: { limit?: number; cursor?: string } = {},
  viewerId: string | null = VIEWER,
) {
  const caller = viewerId === null ? null : { userId: viewerId, sessionId: 'session', expiresAt: Infinity };
  return inContext(caller, () => identity.get(ListPeople).execute({ q, limit: 0, cursor: '', ...asked }));
}
const namesOf = ({ items }: UserPage) => items.map(({ name }) => name);
const names = async (...asked: Parameters<typeof search>) => namesOf(await search(...asked));

// Rule: PEOPLE-17
describe('people search', () => {
  it('finds coaches and members by parts of name and username, without case and accents', async () => {
    await store([
      aCoachRow({ name: 'José Ñandú', username: 'pepe-fit' }),
      aMember({ name: 'Οδυσσέας Йога', username: 'odi' }),
      aMember({ name: 'Other', username: 'someone' }),
    ]);
    for (const q of ['jose', 'NAND', 'é ñ', ' ñandu ', 'pepe', 'E-FIT', '@pepe-fit', '@ pepe']) {
      expect([q, await names(q)]).toEqual([q, ['José Ñandú']]);
    }
    for (const q of ['ΟΔΥΣΣΕΑΣ', 'йога', 'odi']) expect([q, await names(q)]).toEqual([q, ['Οδυσσέας Йога']]);
    for (const q of ['ndupe', 'ndu pepe', 'p_pe', '%%', 'jose.', '100%']) {
      expect([q, await names(q)]).toEqual([q, []]);
    }
  });

  it('does not find by bio or specialties, nor who is suspended or deleted', async () => {
    await store([
      aCoachRow({ name: 'Ana', bio: 'rower', specialties: ['Rowing'] }),
      ...['suspended', 'deleted'].map((status) => aMember({ name: 'Rowena', status })),
    ]);
    expect(await names('row')).toEqual([]);
  });

  it('begins with the username, then what begins so, then all others, each by folded name and id', async () => {
    await store(
      [
        { name: 'Zoe', username: 'ana' },
        { name: 'Émile', username: 'ana-2' },
        { name: 'Eva', username: 'anatol' },
        { name: 'Ana B', username: 'bea' },
        { name: 'ána A', username: 'abe' },
        { name: 'Mariana', username: 'mari' },
        { name: 'Ben', username: 'banana' },
        { name: 'Ben', username: 'havana' },
      ]
        .map((fields, index) => (index % 2 === 0 ? aCoachRow(fields) : aMember(fields)))
        .toReversed(),
    );
    const { items: people } = await search('ANA');
    expect(people.map(({ username }) => username)).toEqual([
      ...['ana', 'ana-2', 'anatol', 'abe', 'bea'],
      ...['banana', 'havana', 'mari'],
    ]);
    for (const limit of [1, 3]) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await search('ana', { limit, cursor });
        seen.push(...page.items.map(({ username }) => username));
        cursor = page.nextCursor;
      } while (cursor !== '');
      expect(seen).toEqual(people.map(({ username }) => username));
    }
  });

  it('shows a change as soon as its write returns, of members too', async () => {
    const member = await identity.signUp({ name: 'Ben Ortiz', username: 'ben' });
    expect(await names('ortiz')).toEqual(['Ben Ortiz']);
    await identity.update(member, { name: 'Ben Núñez', username: 'nunez' });
    expect(await names('ortiz')).toEqual([]);
    for (const q of ['nunez', 'ben nu']) expect(await names(q)).toEqual(['Ben Núñez']);
  });

  it('hides two people from each other when one has blocked the other, and from nobody else', async () => {
    await store([aMember({ id: VIEWER, name: 'Anna' }), aMember({ id: OTHER, name: 'Hanna' })]);
    await identity.service.tell(blockTopic, {
      ...{ blockerId: VIEWER, blockedId: OTHER, version: 1, active: true },
    });
    expect(await names('anna')).toEqual(['Anna']);
    expect(await names('anna', {}, OTHER)).toEqual(['Hanna']);
    const third = '019a0000-0000-7000-9000-000000000003';
    expect(await names('anna', {}, third)).toEqual(['Anna', 'Hanna']);
  });

  it('is for those who are signed in', async () => {
    expect(await outcome(search('ana', {}, null))).toBe('unauthenticated not-authenticated');
  });

  it.each(['', ' ', 'a', ' a ', '@', '@a', 'á', 'a\u0301', '\u0301\u0301\u0301', 'a\u200d'])(
    'asks for 2 letters instead of %j',
    async (q) => {
      await expect(search(q)).rejects.toMatchObject({
        code: 'validation-failed',
        details: { errors: [{ path: 'q', code: 'too-short', message: 'Type at least 2 letters' }] },
      });
    },
  );

  it.each([
    ['q', { q: 'x'.repeat(101) }, 'too-long'],
    ['q', { q: 'ana\u0000b' }, 'control-character'],
    ['q', { q: 'ana\nben' }, 'control-character'],
    ['limit', { limit: 101 }, 'out-of-range'],
  ])('refuses a wrong %s', async (path, { q = 'ana', ...asked }: { q?: string; limit?: number }, code) => {
    const refused = { code: 'validation-failed', details: { errors: [{ path, code }] } };
    await expect(search(q, asked)).rejects.toMatchObject(refused);
  });

  it('ties a cursor to its search and its viewer', async () => {
    await store(['Ana 1', 'Ana 2', 'Ana 3'].map((name) => aMember({ name })));
    const { nextCursor: cursor } = await search('ana', { limit: 2 });
    expect(await names(' ana', { cursor, limit: 1 })).toEqual(['Ana 3']);
    for (const refused of [
      search('an', { cursor }),
      search('ana', { cursor }, OTHER),
      search('ana', { cursor: `${cursor}x` }),
    ]) {
      expect(await outcome(refused)).toBe('invalid-argument invalid-cursor');
    }
  });
});

// Rule: HTTP-6, PEOPLE-14, PEOPLE-17
describe.each([3, 4])('names that fold to very long keys (seed %d)', (seed) => {
  const dice = new Dice(seed);
  // Among them the character that folds to most others, the widest ones, those of three letters each, and those that JSON escapes.
  const alphabet = ['\ufdfa', '\ufdfa', '\ufdfb', '\u33c2', '각', '𝐚', '💪', '"', '\\', 'x'];
  const someLetters = (count: number) => Array.from({ length: count }, () => dice.pick(alphabet)).join('');
  const hostile = () => `sam${dice.pick(alphabet).repeat(38)}${someLetters(dice.below(39))}`;
  const people = [
    ...Array.from({ length: 12 }, () => aCoachRow({ name: `sam${'\ufdfa'.repeat(74)}${someLetters(3)}` })),
    ...Array.from({ length: 28 }, () => aCoachRow({ name: hostile() })),
  ];

  async function walk(page: (cursor: string) => Promise<{ ids: string[]; nextCursor: string }>) {
    const found: string[] = [];
    let cursor = '';
    do {
      const { ids, nextCursor } = await page(cursor);
      expect(nextCursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
      found.push(...ids);
      cursor = nextCursor;
    } while (cursor !== '' && found.length <= people.length);
    return found;
  }

  it('are listed and found one after the other, with cursors that the API takes', async () => {
    await store(people);
    const inOrder = expectedIds(people, {});
    const idsOf = (users: readonly { id: string }[]) => users.map(({ id }) => id);
    for (const q of ['', 'sam']) {
      const listed = await walk(async (cursor) => {
        const { items: coaches, nextCursor } = await listCoaches(identity, { q, limit: 1, cursor });
        return { ids: idsOf(coaches), nextCursor };
      });
      expect(listed).toEqual(inOrder);
    }
    for (const q of ['sam', 'am']) {
      const found = await walk(async (cursor) => {
        const { items: some, nextCursor } = await search(q, { limit: 1, cursor });
        return { ids: idsOf(some), nextCursor };
      });
      expect(found).toEqual(inOrder);
    }
  });

  it('are not skipped after the last one shown has changed its name', async () => {
    await store(people);
    const inOrder = expectedIds(people, {});
    const { items: coaches, nextCursor } = await listCoaches(identity, { limit: 5 });
    await identity.service.tamper("UPDATE users SET name = 'Aaron' WHERE id = $1", [coaches.at(-1)!.id]);
    const { items: following } = await listCoaches(identity, { limit: 100, cursor: nextCursor });
    expect(following.map(({ id }) => id)).toEqual(expect.arrayContaining(inOrder.slice(5)));
  });
});
