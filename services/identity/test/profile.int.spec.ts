import { contactTopic, userTopic } from '@pulso/contracts/topics/identity';
import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { postMediaTicket, profileImageTicket } from '@pulso/contracts/media-tickets';
import { createTicketSigner, TICKET_SECONDS } from '@pulso/platform/auth/signed-ticket';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { inContext } from '@pulso/platform/testing/context';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { privateKeys } from '@pulso/platform/process/json-settings';
import { GetMe } from '../src/account/get-me.js';
import { GetUserByUsername } from '../src/user/get-user-by-username.js';
import { GetUser } from '../src/user/get-user.js';
import { toAccountMessage, toUserMessage } from '../src/user/user-message.js';
import { LogIn } from '../src/session/log-in.js';
import { Identity, PASSWORD, type SignedIn } from './start.js';

const DAY = 24 * 60 * 60 * 1000;

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const update = (person: SignedIn, fields: Partial<UpdateMeRequest>, wrote?: ConsistencyToken[]) =>
  identity.update(person, fields, wrote);

/** Both states of a user, as the caller's next request waits for them. */
const tokensOf = ({ id: key, version }: { id: string; version: number }): ConsistencyToken[] =>
  [userTopic, contactTopic].map(({ name: topic }) => ({ topic, key, version }));

const me = (person: SignedIn) => identity.as(person, () => identity.get(GetMe).execute());

const byUsername = async (username: string) =>
  (await identity.get(GetUserByUsername).execute({ username })).id;

// Rule: PEOPLE-1
describe('reading profiles', () => {
  it('finds users by id, and by username in any case', async () => {
    const { user } = await identity.signUp();
    expect(await identity.get(GetUser).execute({ id: user.id })).toEqual(toUserMessage(user));
    expect(await byUsername(` ${user.username.toUpperCase()} `)).toBe(user.id);
  });

  it('does not find unknown, malformed, suspended or deleted ones', async () => {
    const { user } = await identity.signUp();
    for (const id of [newId(), 'nonsense', '', user.id.toUpperCase(), "' or 1=1 --"]) {
      expect(await outcome(identity.get(GetUser).execute({ id }))).toBe('not-found not-found');
    }
    for (const username of ['nobody-here', '', 'a\u0000b', 'x'.repeat(5000)]) {
      expect(await outcome(byUsername(username))).toBe('not-found not-found');
    }
    for (const status of ['suspended', 'deleted']) {
      await identity.rows('UPDATE users SET status = $2 WHERE id = $1', [user.id, status]);
      expect(await outcome(identity.get(GetUser).execute({ id: user.id }))).toBe('not-found not-found');
      expect(await outcome(byUsername(user.username))).toBe('not-found not-found');
    }
  });
});

// Rule: PEOPLE-4
describe('changing the profile', () => {
  it('changes the given fields, keeps the rest, publishes the state and records the write', async () => {
    const person = await identity.signUp({ bio: 'Before' });
    identity.clock.advance(1000);
    const wrote: ConsistencyToken[] = [];
    const changed = await update(person, { name: ' New Name ', isCoach: true }, wrote);
    expect(changed).toEqual({
      ...person.user,
      name: 'New Name',
      isCoach: true,
      version: changed.version,
      updatedAt: identity.clock.now(),
    });
    expect(await me(person)).toEqual(toAccountMessage(changed));
    expect(changed.version).toBeGreaterThan(person.user.version);
    expect(wrote).toEqual(tokensOf(changed));
    await identity.service.drainEvents();
    const told = identity.service.deliveredState(userTopic, changed.id);
    expect(told).toMatchObject({ name: 'New Name', isCoach: true });
  });

  it('writes nothing when nothing changes', async () => {
    const person = await identity.signUp();
    identity.clock.advance(1000);
    const wrote: ConsistencyToken[] = [];
    expect(await update(person, {}, wrote)).toEqual(person.user);
    const { name, username, email } = person.user;
    expect(await update(person, { name, username, email, bio: '' }, wrote)).toEqual(person.user);
    // The answer to the request that wrote this state may have been lost.
    const tokens = tokensOf(person.user);
    expect(wrote).toEqual([...tokens, ...tokens]);
    identity.clock.advance(60_000);
    const late: ConsistencyToken[] = [];
    expect(await update(person, { name }, late)).toEqual(person.user);
    expect(late).toEqual([]);
  });

  it('assigns growing versions while the clock stands still, a distinct one to each concurrent write', async () => {
    const person = await identity.signUp();
    const wrote: ConsistencyToken[] = [];
    const before = person.user.version;
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        identity.requestUpdate(person, { bio: `bio ${index}` }, wrote),
      ),
    );
    const versions = wrote.filter(({ topic }) => topic === userTopic.name).map(({ version }) => version);
    expect(versions.map((version) => version - before).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    await identity.service.drainEvents();
    expect(identity.service.deliveredState(userTopic, person.user.id)?.version).toBe(before + 20);
  });

  it.each([
    ['event cannot be staged', 'TRIGGER refuse BEFORE INSERT OR UPDATE ON outbox', 'outbox'],
    [
      'commit fails',
      'CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON users DEFERRABLE INITIALLY DEFERRED',
      'users',
    ],
  ])('keeps neither write nor event when its %s', async (_, trigger, table) => {
    const person = await identity.signUp();
    const stored = () =>
      Promise.all(
        ['users', 'usernames', 'sessions', 'refresh_tokens', 'outbox'].map((name) =>
          identity.rows(`SELECT ${name}::text AS row FROM ${name} ORDER BY 1`),
        ),
      );
    await identity.service.drainEvents();
    const before = await stored();
    await identity.rows(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'refused'; END $$`);
    await identity.rows(`CREATE ${trigger} FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      expect(await outcome(update(person, { name: 'Other', username: 'never-mine' }))).toBe('refused');
      expect(await outcome(identity.signUp())).toBe('refused');
    } finally {
      await identity.rows(`DROP TRIGGER refuse ON ${table}`);
    }
    expect(await stored()).toEqual(before);
  });

  it('requires a caller whose session is open', async () => {
    expect(await outcome(inContext(null, () => identity.get(GetMe).execute()))).toBe(
      'unauthenticated not-authenticated',
    );
    const person = await identity.signUp();
    const stranger = await identity.signUp();
    const sessionId = await identity.sessionOf(stranger);
    const forged = { userId: person.user.id, sessionId, expiresAt: Infinity };
    expect(await outcome(inContext(forged, () => identity.get(GetMe).execute()))).toBe(
      'unauthenticated user-token-expired',
    );
    await identity.rows("UPDATE users SET status = 'suspended' WHERE id = $1", [person.user.id]);
    expect(await outcome(update(person, { name: 'X' }))).toBe('permission-denied user-disabled');
  });

  it.each<[string, Partial<UpdateMeRequest>]>([
    ['an empty name', { name: ' \u200b' }],
    ['an empty username', { username: '' }],
    ['a malformed e-mail', { email: 'nobody@nowhere' }],
    ['a long bio', { bio: '😀'.repeat(2001) }],
    ['a control character in the bio', { bio: 'a\u0007' }],
    ['a long specialty', { specialties: { values: ['x'.repeat(41)] } }],
    ['too many specialties', { specialties: { values: Array.from({ length: 500 }, (_, i) => `s${i}`) } }],
    ['another currency', { isCoach: true, subscriptionCurrency: 'EUR' }],
    ['a negative price', { isCoach: true, subscriptionPriceMinor: { value: -50 } }],
    ['a price between steps', { isCoach: true, subscriptionPriceMinor: { value: 125 } }],
    ['a price too high', { isCoach: true, subscriptionPriceMinor: { value: 10_000_050 } }],
    ['a price beyond integers', { isCoach: true, subscriptionPriceMinor: { value: 9e15 } }],
  ])('refuses %s', async (_, fields) => {
    const person = await identity.signUp();
    expect(await outcome(update(person, fields))).toBe('invalid-argument validation-failed');
    expect(await me(person)).toEqual(toAccountMessage(person.user));
  });
});

// Rule: MEDIA-6
describe('the picture', () => {
  const signer = () => {
    const { env, clock } = identity.service;
    return createTicketSigner({ keys: privateKeys.parse(env.MEDIA_TICKET_KEYS), clock });
  };
  /** Media's ticket of a picture for a person. */
  const grant = ({ user }: SignedIn, imageId: string) =>
    signer().sign(profileImageTicket, user.id, { imageId });
  const refusal = 'unprocessable media-not-attachable';

  it('is taken with media’s ticket, published, kept by other changes, and taken away', async () => {
    const person = await identity.signUp();
    const profileImageId = newId();
    const profileImageTicket = await grant(person, profileImageId);
    const wrote: ConsistencyToken[] = [];
    const changed = await update(person, { profileImageId, profileImageTicket }, wrote);
    expect(wrote).toEqual(expect.arrayContaining(tokensOf(changed)));
    // What it has needs no ticket.
    expect(await update(person, { profileImageId, bio: 'New' })).toMatchObject({
      profileImageId,
      bio: 'New',
    });
    expect(await update(person, { profileImageId: '' })).toMatchObject({ profileImageId: null, bio: 'New' });
  });

  it('is refused without a ticket, with another’s, of another picture and of posts, and nothing changes', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    const profileImageId = newId();
    const foreign = [await grant(other, profileImageId), await grant(person, newId())];
    const another = await signer().sign(postMediaTicket, person.user.id, { postId: newId(), images: [] });
    for (const profileImageTicket of [undefined, '', 'a.b.c', ...foreign, another]) {
      const refused = update(person, { name: 'Other', profileImageId, profileImageTicket });
      expect([profileImageTicket, await outcome(refused)]).toEqual([profileImageTicket, refusal]);
    }
    expect(await me(person)).toEqual(toAccountMessage(person.user));
  });

  it('is refused with a ticket of a minute ago, and after all other refusals', async () => {
    const person = await identity.signUp();
    const profileImageId = newId();
    const profileImageTicket = await grant(person, profileImageId);
    const taken = { profileImageId, username: (await identity.signUp()).user.username };
    expect(await outcome(update(person, taken))).toBe('conflict username-taken');
    identity.clock.advance(TICKET_SECONDS * 1000);
    expect(await outcome(update(person, { profileImageId, profileImageTicket }))).toBe(refusal);
  });
});

// Rule: SUBS-4
describe('the price', () => {
  it('requires a coach, by the flag of the same request', async () => {
    const person = await identity.signUp();
    const price = { subscriptionPriceMinor: { value: 40_050 } };
    expect(await outcome(update(person, price))).toBe('permission-denied permission-denied');
    expect(await outcome(update(person, { subscriptionCurrency: 'USD' }))).toBe(
      'permission-denied permission-denied',
    );
    expect(await update(person, { ...price, isCoach: true })).toMatchObject({
      isCoach: true,
      price: { minor: 40_050, currency: 'MXN' },
    });
    expect(await outcome(update(person, { ...price, isCoach: false }))).toBe(
      'permission-denied permission-denied',
    );
  });

  it('stays when the coach flag is removed, and accepts null', async () => {
    const coach = await identity.signUp({ isCoach: true });
    await update(coach, { subscriptionPriceMinor: { value: 10_000_000 }, subscriptionCurrency: 'USD' });
    const kept = await update(coach, { isCoach: false });
    expect(kept.price).toEqual({ minor: 10_000_000, currency: 'USD' });
    // Also of one who is no coach any more.
    const taken = await update(coach, { subscriptionPriceMinor: {} });
    expect(taken.price).toEqual({ minor: null, currency: 'USD' });
    const free = await update(coach, { isCoach: true, subscriptionPriceMinor: { value: 0 } });
    expect(free.price).toEqual({ minor: 0, currency: 'USD' });
    expect(await identity.get(GetUser).execute({ id: coach.user.id })).toEqual(toUserMessage(free));
  });
});

// Rule: PEOPLE-9
describe('a new username', () => {
  it('keeps the old one reserved for its owner, and leading to them, for 90 days', async () => {
    const person = await identity.signUp();
    const stranger = await identity.signUp();
    const old = person.user.username;
    await update(person, { username: 'Moved-House' });
    expect(await byUsername('moved-house')).toBe(person.user.id);

    identity.clock.advance(90 * DAY - 1);
    expect(await byUsername(old)).toBe(person.user.id);
    expect(await outcome(identity.signUp({ username: old }))).toBe('conflict username-taken');

    identity.clock.advance(1);
    const later = { ...stranger, ...(await identity.signUp({ username: old })) };
    expect(await byUsername(old)).toBe(later.user.id);
    expect(await byUsername('moved-house')).toBe(person.user.id);
  });

  it('can be reclaimed by its owner at once', async () => {
    const person = await identity.signUp();
    const old = person.user.username;
    await update(person, { username: 'for-a-while' });
    expect(await update(person, { username: old })).toMatchObject({ username: old });
    expect(await byUsername('for-a-while')).toBe(person.user.id);
    expect(
      await identity.rows('SELECT username FROM usernames WHERE user_id = $1 AND given_up_at IS NULL', [
        person.user.id,
      ]),
    ).toEqual([{ username: old }]);
  });

  it('is published with the names that were given up, also when users are published again', async () => {
    const person = await identity.signUp();
    const first = person.user.username;
    const told = async () => {
      await identity.service.drainEvents();
      return identity.service.deliveredState(userTopic, person.user.id);
    };
    expect(await told()).toMatchObject({ username: first, formerUsernames: [] });
    const begun = identity.clock.now();
    await update(person, { username: `${first}-b` });
    identity.clock.advance(DAY);
    await update(person, { username: `${first}-c` });
    const former = [
      { username: `${first}-b`, until: begun + 91 * DAY },
      { username: first, until: begun + 90 * DAY },
    ];
    expect(await told()).toMatchObject({ username: `${first}-c`, formerUsernames: former });
    identity.service.delivered.get(userTopic.name)!.clear();
    await identity.service.running.republish('user');
    expect(await told()).toMatchObject({ username: `${first}-c`, formerUsernames: former });
    await update(person, { username: first });
    expect(await told()).toMatchObject({
      username: first,
      formerUsernames: [former[0], { username: `${first}-c`, until: begun + 91 * DAY }],
    });
  });

  // Rule: PEOPLE-10
  describe('is refused', () => {
    const limit = 'unprocessable too-many-renames';
    const held = 'unprocessable too-many-former-usernames';
    const rename = (person: SignedIn, username: string) => outcome(update(person, { username }));
    /** Sessions do not last as long. */
    const later = async ({ user: { email } }: SignedIn, days: number) => {
      identity.clock.advance(days * DAY);
      await identity.get(LogIn).execute({ email, password: PASSWORD, device: undefined });
    };

    it('the fourth time within 30 days, and leaves no trace', async () => {
      const person = await identity.signUp();
      const [first, second] = [person.user.username, `${person.user.username}-b`];
      for (const username of [second, first, second]) expect(await rename(person, username)).toBe('resolved');
      expect(await rename(person, first)).toBe(limit);
      expect(await rename(person, `${first}-c`)).toBe(limit);
      expect([await byUsername(second), await byUsername(first)]).toEqual([person.user.id, person.user.id]);
      expect(await outcome(identity.signUp({ username: `${first}-c` }))).toBe('resolved');
      await later(person, 30);
      expect(await rename(person, first)).toBe('resolved');
    });

    it('while three former names are held, which can be taken back', async () => {
      const person = await identity.signUp();
      const first = person.user.username;
      for (const letter of ['b', 'c', 'd'])
        expect(await rename(person, `${first}-${letter}`)).toBe('resolved');
      await later(person, 30);
      expect(await rename(person, `${first}-e`)).toBe(held);
      expect(await rename(person, `${first}-b`)).toBe('resolved');
      expect(await rename(person, `${first}-e`)).toBe(held);
      await later(person, 60);
      expect(await rename(person, `${first}-e`)).toBe('resolved');
    });

    it('however many requests race', async () => {
      const person = await identity.signUp();
      const names = Array.from({ length: 10 }, (_, index) => `${person.user.username}-${index}`);
      const outcomes = await Promise.all(
        names.map((username) => outcome(identity.requestUpdate(person, { username }))),
      );
      expect(tally(outcomes)).toEqual({ resolved: 3, [limit]: 7 });
    });
  });

  it('is refused when taken or reserved, together with the whole request', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    for (const username of [other.user.username, 'messages', 'xn--pulso']) {
      expect(await outcome(update(person, { username, bio: 'changed' }))).toBe('conflict username-taken');
    }
    expect((await me(person)).user).toMatchObject({ bio: '' });
    expect(await byUsername(person.user.username)).toBe(person.user.id);
  });

  it('goes to one of many concurrent requests, and swaps do not deadlock', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => identity.signUp()));
    const outcomes = await Promise.all(
      people.map((person) => outcome(update(person, { username: 'wanted-by-all' }))),
    );
    expect(tally(outcomes)).toEqual({ resolved: 1, 'conflict username-taken': 9 });

    const [one, two] = [people[0]!, people[1]!];
    const [first, second] = [(await identity.stored(one)).username, (await identity.stored(two)).username];
    const swaps = await Promise.all([
      outcome(update(one, { username: second })),
      outcome(update(two, { username: first })),
    ]);
    expect(tally(swaps)).toEqual({ 'conflict username-taken': 2 });
  });
});
