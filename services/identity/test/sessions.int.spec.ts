import { jest } from '@jest/globals';
import type { Session } from '@pulso/contracts/identity/v1/identity';
import { DataSource } from 'typeorm';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { inContext } from '@pulso/platform/testing/context';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { EndSession } from '../src/session/end-session.js';
import { ListEndedSessions } from '../src/session/list-ended-sessions.js';
import { ListSessions } from '../src/session/list-sessions.js';
import { LogIn } from '../src/session/log-in.js';
import { LogOut } from '../src/session/log-out.js';
import { PurgeSessions } from '../src/session/purge-sessions.js';
import { RefreshSession } from '../src/session/refresh-session.js';
import { GetMe } from '../src/account/get-me.js';
import { Identity, idOf, PASSWORD } from './start.js';

const EXPIRED = 'unauthenticated user-token-expired';
const DAY = 24 * 60 * 60 * 1000;

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const refresh = ({ refreshToken }: Pick<Session, 'refreshToken'>, userAgent = '') =>
  identity.get(RefreshSession).execute({ refreshToken, device: { userAgent, address: '' } });

const endReason = async (signedIn: Session) => {
  const [row] = await identity.rows<{ end_reason: string | null }>(
    'SELECT end_reason FROM sessions WHERE id = $1',
    [await identity.sessionOf(signedIn)],
  );
  return row!.end_reason;
};

// Rule: ACCT-19
describe('refreshing', () => {
  it('rotates the token and moves its expiry', async () => {
    const first = await identity.signUp();
    identity.clock.advance(DAY);
    const second = await refresh(first, 'Firefox 200');
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.refreshExpiresAt).toBe(first.refreshExpiresAt + DAY);
    expect(idOf(second)).toBe(idOf(first));
    const [session] = await identity.rows(
      'SELECT user_agent, address, last_used_at FROM sessions WHERE user_id = $1',
      [first.user.id],
    );
    expect(session).toEqual({
      user_agent: 'Firefox 200',
      address: '192.0.2.1',
      last_used_at: new Date(identity.clock.now()),
    });
  });

  it('accepts a spent token until its successor is first used, without a time limit', async () => {
    const first = await identity.signUp();
    await refresh(first);
    identity.clock.advance(29 * DAY);
    const again = await refresh(first);
    identity.clock.advance(60_000);
    expect(await outcome(refresh(again))).toBe('resolved');
  });

  it('accepts a spent token for 10 s after the first use of its successor, then ends the family', async () => {
    const first = await identity.signUp();
    const second = await refresh(first);
    const third = await refresh(second);
    identity.clock.advance(10_000);
    const late = await refresh(first);
    identity.clock.advance(1);
    expect(await outcome(refresh(late))).toBe('resolved');
    expect(await outcome(refresh(first))).toBe(EXPIRED);
    expect(await endReason(first)).toBe('reuse');
    for (const token of [second, third, late]) expect(await outcome(refresh(token))).toBe(EXPIRED);
  });

  it('counts the 10 s of each token from its own successor’s first use', async () => {
    const first = await identity.signUp();
    const second = await refresh(first);
    const third = await refresh(second);
    identity.clock.advance(8_000);
    await refresh(third);
    identity.clock.advance(8_000);
    expect(await outcome(refresh(second))).toBe('resolved');
    expect(await outcome(refresh(first))).toBe(EXPIRED);
  });

  it('ends the family when a copy of a token is used in parallel', async () => {
    const first = await identity.signUp();
    const [own, copied] = [await refresh(first), await refresh(first)];
    identity.clock.advance(600_000);
    const ownNext = await refresh(own);
    identity.clock.advance(600_000);
    await refresh(ownNext);
    identity.clock.advance(600_000);
    expect(await outcome(refresh(copied))).toBe(EXPIRED);
    expect(await endReason(first)).toBe('reuse');
  });

  it('lets several tabs refresh the same token at once', async () => {
    const first = await identity.signUp();
    const tabs = await Promise.all(Array.from({ length: 15 }, () => refresh(first)));
    expect(new Set(tabs.map(({ refreshToken }) => refreshToken)).size).toBe(15);
    const next = await Promise.all(tabs.map((tab) => refresh(tab)));
    expect(await Promise.all(next.map((tab) => outcome(refresh(tab))))).toEqual(Array(15).fill('resolved'));
  });

  it('serialises a late reuse with refreshes of the live token: nothing survives it', async () => {
    const first = await identity.signUp();
    const second = await refresh(first);
    const third = await refresh(second);
    identity.clock.advance(10_001);
    const outcomes = await Promise.all([
      ...Array.from({ length: 6 }, () => outcome(refresh(third))),
      outcome(refresh(first)),
      ...Array.from({ length: 6 }, () => outcome(refresh(third))),
    ]);
    expect(outcomes[6]).toBe(EXPIRED);
    expect(Object.keys(tally(outcomes)).filter((key) => key !== 'resolved')).toEqual([EXPIRED]);
    expect(await outcome(refresh(third))).toBe(EXPIRED);
  });

  // Rule: ACCT-20
  it('lets a logout win over concurrent refreshes', async () => {
    const first = await identity.signUp();
    await Promise.all([
      ...Array.from({ length: 5 }, () => outcome(refresh(first))),
      identity.get(LogOut).execute(first),
    ]);
    expect(await outcome(refresh(first))).toBe(EXPIRED);
  });

  it('refuses missing, unknown, malformed and expired tokens', async () => {
    const first = await identity.signUp();
    expect(await outcome(refresh({ refreshToken: '' }))).toBe('unauthenticated not-authenticated');
    expect(await outcome(refresh({ refreshToken: 'A'.repeat(43) }))).toBe(EXPIRED);
    expect(await outcome(refresh({ refreshToken: '\u0000'.repeat(2000) }))).toBe(EXPIRED);
    identity.clock.set(first.refreshExpiresAt);
    expect(await outcome(refresh(first))).toBe(EXPIRED);
  });

  it('refuses suspended and deleted users', async () => {
    const suspended = await identity.signUp();
    const deleted = await identity.signUp();
    await identity.rows("UPDATE users SET status = 'suspended' WHERE id = $1", [suspended.user.id]);
    await identity.rows("UPDATE users SET status = 'deleted' WHERE id = $1", [deleted.user.id]);
    expect(await outcome(refresh(suspended))).toBe('permission-denied user-disabled');
    expect(await outcome(refresh(deleted))).toBe(EXPIRED);
  });

  it('refreshes more sessions at once than there are connections', async () => {
    const people = await Promise.all(Array.from({ length: 40 }, () => identity.signUp()));
    const outcomes = await Promise.all(people.map((person) => outcome(refresh(person))));
    expect(tally(outcomes)).toEqual({ resolved: 40 });
  });
});

describe('ending sessions', () => {
  const told = (afterEndedAt = 0, afterId = '') =>
    identity.get(ListEndedSessions).execute({ afterEndedAt, afterId });
  const ended = async () => (await told()).sessions.map(({ id }) => id);

  // Rule: ACCT-20
  it('logs out by any token of the family, repeatedly, and reports it to gateways for an hour', async () => {
    const first = await identity.signUp();
    const second = await refresh(first);
    const session = await identity.sessionOf(first);
    expect(await identity.get(LogOut).execute(first)).toEqual({ userId: idOf(first) });
    identity.clock.advance(1000);
    await identity.get(LogOut).execute(first);
    expect(await outcome(refresh(second))).toBe(EXPIRED);
    expect((await told()).sessions).toContainEqual({ id: session, endedAt: identity.clock.now() - 1000 });
    // Longer than its tokens live by the setting: it may have been higher when they were issued.
    identity.clock.advance(3_598_999);
    expect(await ended()).toContain(session);
    identity.clock.advance(2);
    expect(await ended()).not.toContain(session);
  });

  // Rule: ACCT-21
  it('tells of every session that has ended, in pages', async () => {
    const { user } = await identity.signUp();
    const from = identity.clock.now();
    await identity.rows(
      `INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, ended_at, end_reason)
       SELECT (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, $1, at, at, at, at, 'logout'
       FROM generate_series(1, 10001) AS n, to_timestamp(($2::bigint + 1 + n / 5000) / 1000.0) AS at`,
      [user.id, from],
    );
    const first = await told(from);
    expect([first.sessions.length, first.more]).toEqual([10_000, true]);
    const last = first.sessions.at(-1)!;
    const second = await told(last.endedAt, last.id);
    expect([second.sessions.length, second.more]).toEqual([1, false]);
    expect(new Set([...first.sessions, ...second.sessions].map(({ id }) => id)).size).toBe(10_001);
    await identity.rows('DELETE FROM sessions WHERE user_id = $1', [user.id]);
  });

  it('logs out by the access token alone', async () => {
    const person = await identity.signUp();
    await identity.as(person, () => identity.get(LogOut).execute({ refreshToken: '' }));
    expect(await outcome(refresh(person))).toBe(EXPIRED);
    expect(await outcome(identity.as(person, () => identity.get(GetMe).execute()))).toBe(EXPIRED);
  });

  it('logs out without anything', async () => {
    expect(await outcome(identity.get(LogOut).execute({ refreshToken: 'not a token' }))).toBe('resolved');
  });

  // Rule: ACCT-22
  it('lists the caller’s devices and ends one of them', async () => {
    const phone = await identity.signUp({ device: { userAgent: 'Phone\u0007', address: '192.0.2.7' } });
    const phoneSession = await identity.sessionOf(phone);
    identity.clock.advance(1000);
    const laptop = await identity
      .get(LogIn)
      .execute({ email: phone.user.email, password: PASSWORD, device: undefined });
    const laptopSession = await identity.sessionOf(laptop);

    const { sessions } = await identity.as(laptop, () => identity.get(ListSessions).execute());
    expect(sessions.map(({ id, device, current }) => ({ id, ...device, current }))).toEqual([
      { id: laptopSession, userAgent: '', address: '', current: true },
      { id: phoneSession, userAgent: 'Phone', address: '192.0.2.7', current: false },
    ]);

    await identity.as(laptop, () => identity.get(EndSession).execute({ id: phoneSession }));
    expect(await ended()).toContain(phoneSession);
    expect(await outcome(refresh(phone))).toBe(EXPIRED);
    expect(await outcome(refresh(laptop))).toBe('resolved');
    expect(
      await outcome(identity.as(laptop, () => identity.get(EndSession).execute({ id: phoneSession }))),
    ).toBe('not-found not-found');
  });

  // Rule: ACCT-22
  it('does not end sessions of other users', async () => {
    const victim = await identity.signUp();
    const other = await identity.signUp();
    const session = await identity.sessionOf(victim);
    for (const id of [session, 'nonsense', '']) {
      expect(await outcome(identity.as(other, () => identity.get(EndSession).execute({ id })))).toBe(
        'not-found not-found',
      );
    }
    expect(await outcome(refresh(victim))).toBe('resolved');
  });

  it('requires a caller', async () => {
    expect(await outcome(inContext(null, () => identity.get(ListSessions).execute()))).toBe(
      'unauthenticated not-authenticated',
    );
  });

  it('deletes sessions a day after their end, and not sooner', async () => {
    const gone = await identity.signUp();
    const goneSession = await identity.sessionOf(gone);
    await identity.get(LogOut).execute(gone);
    identity.clock.advance(DAY);
    const recent = await identity.signUp();
    await identity.get(LogOut).execute(recent);
    const open = await identity.signUp();
    await identity.get(PurgeSessions).execute(AbortSignal.abort());
    expect(await identity.rows('SELECT id FROM sessions WHERE id = $1', [goneSession])).toHaveLength(1);
    await identity.get(PurgeSessions).execute(new AbortController().signal);
    const left = (await identity.rows<{ id: string }>('SELECT id FROM sessions')).map(({ id }) => id);
    expect(left).not.toContain(goneSession);
    expect(left).toContain(await identity.sessionOf(recent));
    expect(await outcome(refresh(open))).toBe('resolved');
  });

  it('deletes any number of expired refresh tokens by limited statements, between which it can be stopped', async () => {
    const session = await identity.sessionOf(await identity.signUp());
    const expired = new Date(identity.clock.now() - DAY);
    await identity.rows(
      `INSERT INTO refresh_tokens (hash, session_id, generation, issued_at, expires_at)
       SELECT sha256(n::text::bytea), $1, 0, $2, $2 FROM generate_series(1, 2100) AS n`,
      [session, expired],
    );
    const left = async () => {
      const sql = 'SELECT count(*)::int AS count FROM refresh_tokens WHERE session_id = $1';
      return (await identity.rows<{ count: number }>(sql, [session]))[0]!.count;
    };
    const stop = new AbortController();
    const { query } = DataSource.prototype;
    const spy = jest.spyOn(identity.get(DataSource), 'query').mockImplementation(function (
      this: DataSource,
      ...args
    ) {
      return query.apply(this, args).finally(() => stop.abort()) as never;
    });
    onTestEnd(() => spy.mockRestore());
    await identity.get(PurgeSessions).execute(stop.signal);
    expect(await left()).toBe(1_101);
    await identity.get(PurgeSessions).execute(new AbortController().signal);
    expect(await left()).toBe(1);
  });
});
