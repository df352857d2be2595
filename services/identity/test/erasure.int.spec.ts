import { jest } from '@jest/globals';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { contactTopic, erasureTopic, userTopic } from '@pulso/contracts/topics/identity';
import { userSuspensionTopic } from '@pulso/contracts/topics/social';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { ConfirmOwner } from '../src/account/confirm-owner.js';
import { ChangePassword } from '../src/account/change-password.js';
import { ForgotPassword } from '../src/account/forgot-password.js';
import { ListEndedSessions } from '../src/session/list-ended-sessions.js';
import { RefreshSession } from '../src/session/refresh-session.js';
import { AccountTraces } from '../src/store/account-traces.js';
import { Identity, PASSWORD } from './start.js';
import { ACKNOWLEDGED_BY, erasuresIn } from './support/erasures.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const WRONG = 'permission-denied wrong-password';
/** Tables that name users by their ids: whose rows an erasure deletes, keeps, and leaves to events of other services. */
const GOES = [
  ...['action_tokens', 'account_notices', 'openid_links', 'sign_in_devices', 'renames', 'price_intents'],
  ...['user_specialties', 'coach_merits', 'passkeys'],
];
const STAYS = ['usernames', 'sessions', 'erasures', 'erasure_acknowledgements', 'former_merits'];
const OF_OTHERS = [
  ...['known_blocks', 'known_suspensions', 'known_figures', 'known_prices', 'known_subscriptions'],
];

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const { erase, logIn, signUp, acknowledge, acknowledgeAll, shown } = erasuresIn(() => identity);

// Rule: ACCT-32
describe('erasing one’s account', () => {
  it('needs the password, and without one a fresh sign-in', async () => {
    const person = await identity.signUp();
    for (const wrong of ['', 'something else', 'x'.repeat(5_000), 'a\u0000b'])
      expect(await outcome(erase(person, wrong))).toBe(WRONG);
    expect(await outcome(logIn(person.user))).toBe('resolved');

    const other = await identity.signUp();
    await identity.rows('UPDATE users SET password_hash = NULL WHERE id = $1', [other.user.id]);
    expect(await outcome(erase(other, 'something'))).toBe(WRONG);
    identity.clock.advance(5 * MINUTE);
    expect(await outcome(erase(other, ''))).toBe(WRONG);
    await identity.rows('UPDATE sessions SET created_at = $2 WHERE user_id = $1', [
      other.user.id,
      new Date(identity.clock.now()),
    ]);
    expect(await outcome(erase(other, ''))).toBe('resolved');
  });

  it('does not happen where the session has ended while the password was judged', async () => {
    const person = await identity.signUp();
    const owner = identity.get(ConfirmOwner);
    const judge = owner.confirm.bind(owner);
    const confirm = jest.spyOn(owner, 'confirm').mockImplementationOnce(async (...asked) => {
      const judged = await judge(...asked);
      await identity.command('end-sessions', person.user.username);
      return judged;
    });
    try {
      expect(await outcome(erase(person))).toBe('unauthenticated user-token-expired');
    } finally {
      confirm.mockRestore();
    }
    expect(await identity.stored(person)).toMatchObject({ status: 'active', username: person.user.username });
  });

  it('ends every session and leaves nothing in the account but what the law of names keeps', async () => {
    const person = await identity.signUp({ isCoach: true, bio: 'Ran from Oaxaca', specialties: ['Yoga'] });
    await logIn(person.user);
    await identity.get(ForgotPassword).execute({ email: person.user.email });
    await identity.update(person, { username: `renamed-${person.user.username}` });
    await erase(person);
    const refresh = identity
      .get(RefreshSession)
      .execute({ refreshToken: person.refreshToken, device: undefined });
    expect(await outcome(refresh)).toBe('unauthenticated user-token-expired');
    const { sessions } = await identity.get(ListEndedSessions).execute({ afterEndedAt: 0, afterId: '' });
    const own = await identity.rows<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [
      person.user.id,
    ]);
    expect(sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(own.map(({ id }) => id)));
    expect(own).toHaveLength(2);

    const stored = await identity.stored(person);
    expect(stored).toMatchObject({
      ...{ status: 'deleted', name: '', username: '', bio: '', specialties: [], isCoach: false },
      ...{ passwordHash: null, pendingEmail: null, profileImageId: null },
      email: person.user.email,
    });
    expect(stored.unsubscribeToken).not.toBe(person.user.unsubscribeToken);
    const [folded] = await identity.rows('SELECT folded_name, folded_about FROM users WHERE id = $1', [
      person.user.id,
    ]);
    expect(folded).toEqual({ folded_name: '', folded_about: null });
  });

  // Whoever adds a table with rows of users decides here what an erasure does with it.
  it('leaves no row of the user in any table, but for names, ended sessions and the erasure itself', async () => {
    const person = await identity.signUp({ isCoach: true, specialties: ['Yoga'] });
    await identity.get(ForgotPassword).execute({ email: person.user.email });
    await erase(person);
    const tables = await identity.rows<{ name: string; column: string }>(
      `SELECT table_name AS name, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name IN ('user_id', 'blocker_id', 'blocked_id', 'coach_id')`,
    );
    expect(new Set(tables.map(({ name }) => name))).toEqual(new Set([...GOES, ...STAYS, ...OF_OTHERS]));
    for (const { name, column } of tables.filter((table) => GOES.includes(table.name)))
      expect({
        name,
        rows: await identity.rows(`SELECT FROM ${name} WHERE ${column} = $1`, [person.user.id]),
      }).toEqual({ name, rows: [] });
    const devices = await identity.rows(
      "SELECT FROM sessions WHERE user_id = $1 AND (user_agent <> '' OR address <> '')",
      [person.user.id],
    );
    expect(devices).toEqual([]);
    expect(await identity.rows('SELECT FROM password_resets WHERE email = $1', [person.user.email])).toEqual(
      [],
    );
    expect(
      await identity.rows(
        `SELECT FROM refresh_tokens JOIN sessions ON sessions.id = session_id WHERE user_id = $1`,
        [person.user.id],
      ),
    ).toEqual([]);
  });

  // Rule: ACCT-34
  it('publishes a state and a contact that name nobody, and the erasure', async () => {
    const person = await identity.signUp();
    const { id } = person.user;
    identity.clock.advance(1_000);
    await erase(person);
    await identity.service.drainEvents();
    expect(identity.service.deliveredState(userTopic, id)).toMatchObject({
      ...{ status: UserStatus.USER_STATUS_DELETED, name: '', username: '', formerUsernames: [] },
    });
    expect(identity.service.deliveredState(contactTopic, id)).toMatchObject({
      ...{ status: UserStatus.USER_STATUS_DELETED, email: '', unsubscribeToken: '' },
    });
    expect(identity.service.deliveredState(erasureTopic, id)).toMatchObject({
      ...{ userId: id, requestedAt: identity.clock.now() },
    });
  });

  it('happens once of many requests, also beside a change of the password', async () => {
    const person = await identity.signUp();
    const outcomes = await Promise.all([
      ...Array.from({ length: 4 }, () => outcome(erase(person))),
      outcome(
        identity.as(person, () =>
          identity.get(ChangePassword).execute({ currentPassword: PASSWORD, password: 'another long walk' }),
        ),
      ),
    ]);
    expect(tally(outcomes.slice(0, 4))['resolved'] ?? 0).toBeLessThanOrEqual(1);
    const { status } = await identity.stored(person);
    expect(status === 'deleted').toBe(outcomes.slice(0, 4).includes('resolved'));
  });
});

// Rule: ACCT-33
describe('while an account is erased, and after that', () => {
  it('a login is refused as for an unknown address, the address is taken until all services have erased, the name for 90 days', async () => {
    const person = await identity.signUp();
    const { email, username, id: userId } = person.user;
    await erase(person);
    expect(await outcome(logIn(person.user))).toBe('unauthenticated invalid-credential');
    expect(await outcome(signUp({ email }))).toBe('conflict email-already-in-use');
    const [last, ...others] = ACKNOWLEDGED_BY;
    for (const topic of others) await acknowledge(topic, { userId, version: 1, erasedAt: 1 });
    // It has begun, and not ended.
    await acknowledge(last!, { userId, version: 1 });
    expect(await outcome(signUp({ email }))).toBe('conflict email-already-in-use');
    expect(await shown(person)).toMatchObject({ completedAt: null, missing: ['billing'] });
    await acknowledge(last!, { userId, version: 2, erasedAt: 1 });
    expect(await shown(person)).toMatchObject({ missing: [] });
    expect((await shown(person))!.completedAt).not.toBeNull();
    expect(await outcome(logIn(person.user))).toBe('unauthenticated invalid-credential');

    expect(await outcome(signUp({ email, username }))).toBe('conflict username-taken');
    expect(await outcome(signUp({ email }))).toBe('resolved');
    identity.clock.advance(90 * DAY);
    expect(await outcome(signUp({ username }))).toBe('resolved');
  });

  it('the row of the name goes when anybody may take it', async () => {
    const person = await identity.signUp();
    await erase(person);
    const rows = () => identity.rows('SELECT FROM usernames WHERE user_id = $1', [person.user.id]);
    const purge = () => identity.get(AccountTraces).purgeUsernames(new AbortController().signal);
    await purge();
    expect(await rows()).toHaveLength(1);
    identity.clock.advance(90 * DAY);
    await purge();
    expect(await rows()).toEqual([]);
  });

  it('the address becomes free, whoever has signed up with which address before', async () => {
    const person = await identity.signUp();
    const { id, email } = person.user;
    for (const domain of ['erased.invalid', 'example.org']) {
      expect(await outcome(signUp({ email: `${id}@${domain}` }))).toBe('resolved');
      expect(await outcome(signUp({ email: `erased:${id}@${domain}` }))).not.toBe('resolved');
    }
    expect(await outcome(signUp({ email: `erased:${id}` }))).not.toBe('resolved');
    await erase(person);
    await acknowledgeAll(person);
    expect((await shown(person))!.completedAt).not.toBeNull();
    expect(await outcome(signUp({ email }))).toBe('resolved');
  });

  it('acknowledgements count in any order, repeated, and when two come at the same time', async () => {
    const person = await identity.signUp();
    const { id: userId } = person.user;
    await erase(person);
    const all = ACKNOWLEDGED_BY.flatMap((topic) => [
      acknowledge(topic, { userId, version: 2, erasedAt: 2 }),
      acknowledge(topic, { userId, version: 1 }),
      acknowledge(topic, { userId, version: 2, erasedAt: 2 }),
    ]);
    await Promise.all(all);
    expect((await shown(person))!.completedAt).not.toBeNull();
  });

  // Rule: ACCT-31
  it('a late decision of a moderator does not bring the account back', async () => {
    const person = await identity.signUp();
    await erase(person);
    const decision = { userId: person.user.id, reason: 'spam', decidedAt: 1 };
    await identity.service.tell(userSuspensionTopic, { ...decision, version: 1, suspended: true });
    await identity.service.tell(userSuspensionTopic, { ...decision, version: 2, suspended: false });
    expect((await identity.stored(person)).status).toBe('deleted');
  });

  // Rule: ACCT-34
  it('late events about the user are refused', async () => {
    const [person, coach] = [await identity.signUp(), await identity.signUp({ isCoach: true })];
    await erase(person);
    const state = { userId: person.user.id, coachId: coach.user.id, version: 1, active: true };
    await identity.service.tell(subscriptionTopic, state);
    expect(
      await identity.rows('SELECT FROM known_subscriptions WHERE user_id = $1', [person.user.id]),
    ).toEqual([]);
  });
});
