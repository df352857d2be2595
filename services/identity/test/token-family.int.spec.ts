import { createHash, randomBytes } from 'node:crypto';
import type { Session } from '@pulso/contracts/identity/v1/identity';
import { outcome } from '@pulso/platform/testing/outcomes';
import { LogOut } from '../src/session/log-out.js';
import { RefreshSession } from '../src/session/refresh-session.js';
import { hashRefreshToken, RefreshTokens } from '../src/session/refresh-token.js';
import {
  type FamilyStatement,
  FORGOTTEN_AT_ONCE,
  forgetting,
  KEPT_GENERATIONS,
  KEPT_OF_GENERATION,
  superseding,
} from '../src/store/token-family.js';
import { Identity, idOf } from './start.js';

const EXPIRED = 'unauthenticated user-token-expired';
/** As a session had that was refreshed day and night before families had bounds. */
const OLD_TOKENS = 2_500;

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const refresh = ({ refreshToken }: Pick<Session, 'refreshToken'>) =>
  identity.get(RefreshSession).execute({ refreshToken, device: undefined });

async function endReason(signedIn: Session): Promise<string | null> {
  const [row] = await identity.rows<{ reason: string | null }>(
    'SELECT end_reason AS reason FROM sessions WHERE id = $1',
    [await identity.sessionOf(signedIn)],
  );
  return row!.reason;
}

async function stored(signedIn: Session): Promise<number> {
  const [row] = await identity.rows<{ count: number }>(
    'SELECT count(*)::int AS count FROM refresh_tokens WHERE session_id = $1',
    [await identity.sessionOf(signedIn)],
  );
  return row!.count;
}

/** Refreshes again and again, each time with the newest token. */
async function refreshed(first: Session, times: number, pauseMs: number): Promise<Session> {
  let last = first;
  for (let time = 0; time < times; time += 1) {
    identity.clock.advance(pauseMs);
    last = await refresh(last);
  }
  return last;
}

/** As tokens were before they had a MAC, and as anybody who knows the session's id writes one. */
function withoutMac(sessionId: string): string {
  const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, randomBytes(16)]).toString('base64url');
}

/** Gives the session of `signedIn` spent tokens of `generations` generations. */
async function spend(signedIn: Session, generations: number): Promise<string> {
  const session = await identity.sessionOf(signedIn);
  const at = new Date(identity.clock.now() - 60_000);
  await identity.rows(
    `INSERT INTO refresh_tokens (hash, session_id, generation, issued_at, expires_at, superseded_at)
     SELECT sha256(convert_to($1::uuid || ' ' || n, 'UTF8')), $1::uuid, n, at, at + interval '30 days', at
     FROM generate_series(1, $3::int) AS n, (SELECT $2::timestamptz AS at) AS spent`,
    [session, at, generations],
  );
  await identity.rows('UPDATE refresh_tokens SET generation = $2 WHERE hash = $1', [
    createHash('sha256').update(signedIn.refreshToken).digest(),
    generations + 1,
  ]);
  await identity.rows('UPDATE sessions SET generation = $2 WHERE id = $1', [session, generations]);
  return session;
}

// Rule: ACCT-19
describe('a family of refresh tokens', () => {
  it('keeps a bounded number of generations', async () => {
    const first = await identity.signUp();
    const last = await refreshed(first, KEPT_GENERATIONS + 20, 11_000);
    // The spent ones, the last that was presented, and the one that it was exchanged for.
    expect(await stored(first)).toBe(KEPT_GENERATIONS + 2);
    expect(await outcome(refresh(last))).toBe('resolved');
  });

  it('ends by a token that it keeps no longer: no thief makes it forget the owner’s', async () => {
    const first = await identity.signUp();
    const thief = await refreshed(first, KEPT_GENERATIONS + 20, 11_000);
    expect(await outcome(refresh(first))).toBe(EXPIRED);
    expect(await endReason(first)).toBe('reuse');
    expect(await outcome(refresh(thief))).toBe(EXPIRED);
  });

  it('keeps tokens within their grace, however many generations they are behind', async () => {
    const first = await identity.signUp();
    const last = await refreshed(first, KEPT_GENERATIONS + 20, 1);
    expect(await outcome(refresh(first))).toBe('resolved');
    expect(await outcome(refresh(last))).toBe('resolved');
    expect(await endReason(first)).toBe(null);
  });

  it('keeps the newest of one generation', async () => {
    const first = await identity.signUp();
    const issued: Session[] = [];
    for (let time = 0; time < KEPT_OF_GENERATION + 20; time += 1) {
      identity.clock.advance(1);
      issued.push(await refresh(first));
    }
    expect(await stored(first)).toBe(1 + KEPT_OF_GENERATION);
    expect(await outcome(refresh(issued.at(-KEPT_OF_GENERATION)!))).toBe('resolved');
    expect(await endReason(first)).toBe(null);
    expect(await outcome(refresh(issued[0]!))).toBe(EXPIRED);
    expect(await endReason(first)).toBe('reuse');
  });

  it('shrinks step by step where it has grown before', async () => {
    const first = await identity.signUp();
    await spend(first, OLD_TOKENS);
    let last = await refresh(first);
    expect(await stored(first)).toBe(OLD_TOKENS + 2 - FORGOTTEN_AT_ONCE);
    last = await refreshed(last, 2, 11_000);
    expect(await stored(first)).toBe(KEPT_GENERATIONS + 2);
    expect(await outcome(refresh(last))).toBe('resolved');
  });

  // Rule: ACCT-20
  it('ends by a logout with a token that it keeps no longer', async () => {
    const first = await identity.signUp();
    const last = await refreshed(first, KEPT_GENERATIONS + 20, 11_000);
    expect(await identity.get(LogOut).execute(first)).toEqual({ userId: idOf(first) });
    expect(await endReason(first)).toBe('logout');
    expect(await outcome(refresh(last))).toBe(EXPIRED);
  });

  it('is opened by no token that was issued and is not stored', async () => {
    const person = await identity.signUp();
    const unknown = identity.get(RefreshTokens).issue(await identity.sessionOf(person));
    expect(await outcome(refresh({ refreshToken: unknown }))).toBe(EXPIRED);
    expect(await endReason(person)).toBe('reuse');
  });

  // Rule: ACCT-20
  it('is neither opened nor ended by a token that only names its session', async () => {
    const person = await identity.signUp();
    const named = withoutMac(await identity.sessionOf(person));
    expect(await outcome(refresh({ refreshToken: named }))).toBe(EXPIRED);
    expect(await identity.get(LogOut).execute({ refreshToken: named })).toEqual({ userId: '' });
    expect(await endReason(person)).toBe(null);
    expect(await outcome(refresh(person))).toBe('resolved');
  });

  it('goes on with a token of a version before, and ends when that is reused', async () => {
    const person = await identity.signUp();
    const refreshToken = withoutMac(await identity.sessionOf(person));
    await identity.rows('UPDATE refresh_tokens SET hash = $2 WHERE hash = $1', [
      hashRefreshToken(person.refreshToken),
      hashRefreshToken(refreshToken),
    ]);
    const last = await refreshed(await refresh({ refreshToken }), 2, 11_000);
    expect(await outcome(refresh({ refreshToken }))).toBe(EXPIRED);
    expect(await endReason(person)).toBe('reuse');
    expect(await outcome(refresh(last))).toBe(EXPIRED);
  });

  /** How a statement is carried out; it changes nothing. */
  async function planOf({ sql, parameters }: FamilyStatement): Promise<string> {
    const client = await identity.service.pool.connect();
    try {
      await client.query('BEGIN');
      // A small table is read as a whole.
      await client.query('SET LOCAL enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) ${sql}`,
        parameters,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  it('is refreshed without reading its spent tokens', async () => {
    const session = await spend(await identity.signUp(), OLD_TOKENS);
    await identity.rows('VACUUM ANALYZE refresh_tokens');
    const now = identity.clock.now();
    const supersede = await planOf(superseding(session, OLD_TOKENS + 2, now));
    expect(supersede).toContain('refresh_tokens_live_idx');
    // Two generations are to go.
    const family = { id: session, generation: KEPT_GENERATIONS + 3 };
    const forget = await planOf(forgetting(family, OLD_TOKENS + 2, now));
    expect(forget).toContain('refresh_tokens_session_id_idx');
    for (const plan of [supersede, forget]) {
      expect(plan).not.toContain('Seq Scan');
      expect(plan).not.toContain('Rows Removed by Filter');
    }
  });
});
