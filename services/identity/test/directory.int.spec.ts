import { outcome } from '@pulso/platform/testing/outcomes';
import { CoachOrder, type UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { blockTopic } from '@pulso/contracts/topics/social';
import { KnownBlocks } from '../src/projections/known-blocks.js';
import { ListSpecialties } from '../src/directory/list-specialties.js';
import { SPECIALTY_OPTIONS } from '../src/directory/specialty-options.js';
import {
  type CoachRow,
  aCoachRow,
  allPages,
  expectedIds,
  listCoaches,
  storeCoaches,
} from './support/directory.js';
import { toUserMessage } from '../src/user/user-message.js';
import { Identity, type SignedIn } from './start.js';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
beforeEach(() => identity.rows('TRUNCATE users, known_blocks CASCADE'));
afterAll(() => identity?.stop());

const store = (coaches: CoachRow[]) =>
  storeCoaches((sql, values) => identity.service.tamper(sql, values), coaches);
const names = async (asked: Parameters<typeof listCoaches>[1], viewerId: string | null = null) =>
  (await listCoaches(identity, asked, viewerId)).items.map(({ name }) => name);

// Rule: PEOPLE-14
describe('search', () => {
  it.each([
    ['the name, without case and accents', { name: 'José Ñandú' }, ['jose', 'NAND', 'é ñ', '  ñandu ']],
    [
      'the bio, over its lines',
      { bio: 'Runner.\nTrains in Łódź — ½ Größe, ﬁt' },
      ['runner', '½', 'GRÖ', 'fit'],
    ],
    ['specialties', { specialties: ['Águas abertas', 'CrossFit'] }, ['aguas', 'crossFIT', 'ss']],
    [
      'letters in whatever form',
      {
        name: 'Łukasz Groß',
        bio: 'Işıl, Þór, han\u1112\u1161\u11ab, car\u00addio\u00a0 work',
        specialties: ['Natacio\u0301n'],
      },
      [
        'lukasz',
        'ŁUKASZ',
        'gross',
        'GROẞ',
        'isil',
        'IŞIL',
        'ışıl',
        'thor',
        '한',
        'cardio work',
        'natación',
        'NATACIO\u0301N',
      ],
    ],
    [
      'other scripts',
      { name: 'Οδυσσέας Йога', bio: '力トレ かき' },
      ['ΟΔΥΣΣΕΑΣ', 'йога', 'トレ', '力', 'が'],
    ],
    ['its own syntax', { bio: '100% _real_ \\o/ [a-z]* $1' }, ['100%', '_real_', '\\o/', '[a-z]*', '$1']],
  ])('finds parts of %s', async (_what, fields, queries) => {
    await store([aCoachRow({ name: 'Found', ...fields }), aCoachRow({ name: 'Other', bio: 'someone' })]);
    for (const q of queries) expect([q, (await listCoaches(identity, { q })).items]).toMatchObject([q, [{}]]);
  });

  it('does not match across two fields or by wildcards; an empty query finds all', async () => {
    await store([aCoachRow({ name: 'Ana', bio: 'Bold', specialties: ['Yoga', 'Boxing'] })]);
    for (const q of ['anabold', 'ana bold', 'boldyoga', 'yoga boxing', '%', '_n_', 'a.a', 'anna']) {
      expect([q, await names({ q })]).toEqual([q, []]);
    }
    // Folding leaves nothing of a lone accent: the same as no search.
    for (const q of ['', '  ', '\u0301']) expect([q, await names({ q })]).toEqual([q, ['Ana']]);
  });

  it('takes a specialty as a whole, and both filters together', async () => {
    await store([
      aCoachRow({ name: 'Ana', specialties: ['Yoga'] }),
      aCoachRow({ name: 'Bea', specialties: ['Yoga Flow'], bio: 'Yoga' }),
      aCoachRow({ name: 'Cleo', specialties: ['Running', 'Yoga'], bio: 'beach' }),
    ]);
    expect(await names({ specialty: 'Yoga' })).toEqual(['Ana', 'Cleo']);
    expect(await names({ specialty: ' Yoga ' })).toEqual(['Ana', 'Cleo']);
    expect(await names({ specialty: 'yoga' })).toEqual(['Ana', 'Cleo']);
    for (const specialty of ['Yog', 'Yóga', 'Yoga Running']) expect(await names({ specialty })).toEqual([]);
    expect(await names({ q: 'bea', specialty: 'Yoga' })).toEqual(['Cleo']);
  });

  it('lists active coaches only, by folded name, then by id', async () => {
    const coaches = ['zoe', 'Ana', 'Émile', 'eva', 'Ana', 'Ámbar', 'Éva'].map((name) => aCoachRow({ name }));
    await store([
      ...coaches.toReversed(),
      aCoachRow({ isCoach: false }),
      aCoachRow({ status: 'suspended' }),
      aCoachRow({ status: 'deleted' }),
    ]);
    expect(await names({})).toEqual(['Ámbar', 'Ana', 'Ana', 'Émile', 'eva', 'Éva', 'zoe']);
    expect(await allPages(identity, { limit: 1 })).toEqual(expectedIds(coaches, {}));
  });

  it('shows a change as soon as its write returns', async () => {
    const coach = await identity.signUp({ name: 'Ana', isCoach: true, bio: 'Boxer' });
    const member = await identity.signUp({ name: 'Ben' });
    const update = (fields: Partial<UpdateMeRequest>, who = coach) => identity.update(who, fields);
    expect(await names({ q: 'boxer' })).toEqual(['Ana']);
    await update({ bio: 'Rower', name: 'Anna', specialties: { values: ['Vela'] } });
    expect(await names({ q: 'boxer' })).toEqual([]);
    for (const q of ['rower', 'anna', 'vela']) expect(await names({ q })).toEqual(['Anna']);
    await update({ isCoach: true }, member);
    expect(await names({})).toEqual(['Anna', 'Ben']);
    await update({ isCoach: false });
    expect(await names({})).toEqual(['Ben']);
  });
});

describe('paging', () => {
  it('ties a cursor to its search and its viewer', async () => {
    await store(['Ana 1', 'Ana 2', 'Ana 3'].map((name) => aCoachRow({ name, specialties: ['Yoga'] })));
    const viewer = '019a0000-0000-7000-9000-000000000001';
    const { nextCursor: cursor } = await listCoaches(identity, { q: 'ana', limit: 2 }, viewer);
    expect(await names({ q: 'ana', cursor }, viewer)).toEqual(['Ana 3']);
    // Another page size, untrimmed text, or letters in another form, is the same list.
    for (const q of [' ana', 'ANA', 'a\u0301na']) {
      expect(await names({ q, limit: 1, cursor }, viewer)).toEqual(['Ana 3']);
    }
    const refused = [
      listCoaches(identity, { q: 'ana', cursor }),
      listCoaches(identity, { q: 'an', cursor }, viewer),
      listCoaches(identity, { q: 'ana', specialty: 'Yoga', cursor }, viewer),
      listCoaches(identity, { q: 'ana', cursor: `${cursor}x` }, viewer),
      listCoaches(identity, { q: 'ana', cursor: 'page-2' }, viewer),
    ];
    for (const page of refused) expect(await outcome(page)).toBe('invalid-argument invalid-cursor');
  });

  it.each([
    ['limit', { limit: 101 }, 'out-of-range'],
    ['limit', { limit: -1 }, 'out-of-range'],
    ['q', { q: 'x'.repeat(101) }, 'too-long'],
    ['q', { q: 'a\u0000b' }, 'control-character'],
    ['specialty', { specialty: '\ud800' }, 'lone-surrogate'],
  ])('refuses a wrong %s', async (path, asked, code) => {
    const refusal = expect(listCoaches(identity, asked)).rejects;
    await refusal.toMatchObject({ code: 'validation-failed', details: { errors: [{ path, code }] } });
  });

  it('uses 20 as the default page size, and accepts the longest query and name', async () => {
    await store(Array.from({ length: 22 }, () => aCoachRow({ name: '\ufdfa'.repeat(80) })));
    const first = await listCoaches(identity, { q: '\ufdfa'.repeat(100) });
    expect(first.items).toHaveLength(0);
    const { items: coaches, nextCursor } = await listCoaches(identity, { q: '\ufdfa'.repeat(80) });
    expect(coaches).toHaveLength(20);
    expect(await names({ q: '\ufdfa'.repeat(80), cursor: nextCursor })).toHaveLength(2);
  });
});

describe('blocks', () => {
  const [ana, ben, cleo] = [1, 2, 3].map((n) => `019a0000-0000-7000-a000-00000000000${n}`) as [
    string,
    string,
    string,
  ];
  const block = (blockerId: string, blockedId: string, version: number, active = true) =>
    identity.service.tell(blockTopic, { blockerId, blockedId, version, active });

  beforeEach(() =>
    store([
      aCoachRow({ id: ana, name: 'Ana' }),
      aCoachRow({ id: ben, name: 'Ben' }),
      aCoachRow({ id: cleo, name: 'Cleo' }),
    ]),
  );

  it('hide each user from the other, from no one else, until they end', async () => {
    await block(ana, ben, 1);
    for (const q of ['', 'n']) {
      expect(await names({ q }, ana)).not.toContain('Ben');
      expect(await names({ q }, ben)).not.toContain('Ana');
      expect(await names({ q }, cleo)).toEqual(expect.arrayContaining(['Ana', 'Ben']));
      expect(await names({ q })).toEqual(expect.arrayContaining(['Ana', 'Ben']));
    }
    await block(ana, ben, 2, false);
    expect(await names({}, ana)).toEqual(['Ana', 'Ben', 'Cleo']);
  });

  it('fill pages although coaches are hidden', async () => {
    await block(cleo, ana, 1);
    expect(await allPages(identity, { limit: 1 }, cleo)).toEqual([ben, cleo]);
  });

  it('end in the newest version, regardless of the order and number of deliveries', async () => {
    const history = Array.from({ length: 20 }, (_, n) => ({ version: n + 1, active: n % 2 === 0 }));
    const deliveries = [...history, ...history].map((state, n) => ({ state, at: (n * 17) % 41 }));
    deliveries.sort((a, b) => a.at - b.at);
    await Promise.all(deliveries.map(({ state }) => block(ana, ben, state.version, state.active)));
    expect(await identity.get(KnownBlocks).versionOf(`${ana}_${ben}`)).toBe(20);
    expect(await names({}, ana)).toContain('Ben');
    await block(ana, ben, 19, true);
    expect(await names({}, ana)).toContain('Ben');
    expect(await identity.get(KnownBlocks).versionOf(`${ben}_${ana}`)).toBeUndefined();
  });
});

describe('specialties', () => {
  const all = async () => (await identity.get(ListSpecialties).execute()).specialties;

  const others = async () => (await all()).filter((specialty) => !SPECIALTY_OPTIONS.includes(specialty));
  const change = (person: SignedIn, fields: Partial<UpdateMeRequest>) => identity.update(person, fields);

  // Rule: PEOPLE-13
  it('are the options and the specialties of active coaches, once regardless of case', async () => {
    expect(await all()).toHaveLength(SPECIALTY_OPTIONS.length);
    const ana = await identity.signUp({
      specialties: ['Kettlebells', 'yoga', 'Águas abertas'],
      isCoach: true,
    });
    await identity.signUp({ specialties: ['kettlebells', 'KETTLEBELLS', 'Zumba'], isCoach: true });
    expect(await others()).toEqual(['Águas abertas', expect.stringMatching(/^kettlebells$/i), 'Zumba']);
    await change(ana, { specialties: { values: ['Parkour'] } });
    expect(await all()).toEqual(expect.arrayContaining(['Parkour', 'Zumba']));
    expect(await all()).not.toContain('Águas abertas');
    await identity.rows("UPDATE users SET status = 'suspended' WHERE id = $1", [ana.user.id]);
    expect(await all()).not.toContain('Parkour');
  });

  // Rule: PEOPLE-11, PEOPLE-13, PEOPLE-14
  it('are one specialty in whatever form their letters were typed, kept and listed once, and found by each', async () => {
    const [composed, decomposed] = ['Natación', 'Natacio\u0301n'];
    const sign = async (...specialties: string[]) =>
      (await identity.signUp({ specialties, isCoach: true })).user;
    const coaches = [
      await sign(composed),
      await sign(decomposed),
      await sign(composed, decomposed, 'NATACIÓN'),
      await sign('Ｎatación\u200d'),
    ];
    const kept = coaches.map(({ specialties }) => specialties);
    expect(kept).toEqual([[composed], [composed], [composed], ['Ｎatación\u200d']]);
    expect(await others()).toEqual([composed]);
    const wanted = coaches.map(({ id }) => id).toSorted();
    for (const specialty of [composed, decomposed, 'natación', ' NATACIÓN ', 'natacio\u0301n']) {
      const found = await allPages(identity, { specialty, limit: 1 });
      expect({ specialty, found: found.toSorted() }).toEqual({ specialty, found: wanted });
      const byMerit = await allPages(identity, { specialty, order: CoachOrder.COACH_ORDER_MERIT });
      expect(byMerit.toSorted()).toEqual(wanted);
    }
    expect(await names({ specialty: 'Natacion' })).toEqual([]);
  });

  // Rule: PEOPLE-12
  it('are refused for members, also at sign-up', async () => {
    const specialties = ['Parkour'];
    const denied = 'permission-denied permission-denied';
    expect(await outcome(identity.signUp({ specialties }))).toBe(denied);
    const member = await identity.signUp();
    expect(await outcome(change(member, { specialties: { values: specialties } }))).toBe(denied);
    expect((await change(member, { specialties: { values: [] } })).specialties).toEqual([]);
    const coach = await change(member, { specialties: { values: specialties }, isCoach: true });
    expect(coach.specialties).toEqual(specialties);
    const both = change(member, { specialties: { values: ['Zumba'] }, isCoach: false });
    expect(await outcome(both)).toBe(denied);
  });

  // Rule: PEOPLE-12
  it('are kept, but neither shown nor suggested, when the coach flag goes', async () => {
    const coach = await identity.signUp({ specialties: ['Slackline'], isCoach: true });
    expect(await others()).toContain('Slackline');
    const member = await change(coach, { isCoach: false });
    expect(toUserMessage(member).specialties).toEqual([]);
    expect(await others()).not.toContain('Slackline');
    expect(toUserMessage(await change(coach, { isCoach: true })).specialties).toEqual(['Slackline']);
    expect(await others()).toContain('Slackline');
  });
});
