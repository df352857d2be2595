import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { Clock } from '@pulso/platform/time/clock';
import { FORMER_USERNAME_MS } from './former-username.js';
import { blockRow, IdentityRows, sessionRow, userRow } from './identity-rows.js';
import type { Session } from './session.entity.js';
import { milliseconds, shownAccount, type ShownAccount, type ShownUser, shownUser } from './shown-user.js';

/** An account on a device where it is signed in. */
export interface SignedInRow extends ShownAccount {
  signedInAt: Session['createdAt'];
  passkeyAt: Session['passkeyAt'];
  sessionExpiresAt: Session['expiresAt'];
}

/** SQL: that the row `users` is active (PEOPLE-1) and has not blocked the viewer (PEOPLE-23); null is a visitor. */
const visibleTo = (viewer: string) => `users.status = 'active' AND NOT EXISTS (
  SELECT FROM known_blocks WHERE blocker_id = users.id AND blocked_id = ${viewer} AND active)`;

const VISIBLE = statement<ShownUser>(
  'visible-user',
  `SELECT ${shownUser('users')} FROM users WHERE users.id = $1::uuid AND ${visibleTo('$2::uuid')}`,
);
const VISIBLE_NAMED = statement<ShownUser & { isFormerName: boolean }>(
  'visible-user-named',
  `SELECT ${shownUser('users')}, held.given_up_at IS NOT NULL AS "isFormerName"
   FROM usernames AS held JOIN users ON users.id = held.user_id
   WHERE held.username = $1 AND (held.given_up_at IS NULL OR held.given_up_at > $3::timestamptz)
     AND ${visibleTo('$2::uuid')}`,
);
const VISIBLE_AMONG = statement<ShownUser>(
  'visible-users',
  `SELECT ${shownUser('users')} FROM users WHERE users.id = ANY ($1::uuid[]) AND ${visibleTo('$2::uuid')}`,
);
const ACTIVE_AMONG = statement<ShownUser>(
  'active-users',
  `SELECT ${shownUser('users')} FROM users WHERE users.id = ANY ($1::uuid[]) AND users.status = 'active'`,
);
const SIGNED_IN = statement<SignedInRow>(
  'signed-in-account',
  `SELECT ${shownAccount('users')}, ${milliseconds('session.created_at')} AS "signedInAt",
     ${milliseconds('session.passkey_at')} AS "passkeyAt", ${milliseconds('session.expires_at')} AS "sessionExpiresAt"
   FROM sessions AS session JOIN users ON users.id = session.user_id
   WHERE session.id = $1::uuid AND session.user_id = $2::uuid AND session.ended_at IS NULL`,
);

/**
 * Users as they are shown, each answer by one prepared statement, or from memory (see `CachedRows`). Ids are valid; the
 * viewer is null for a visitor.
 */
@Injectable()
export class ShownUsersRepository {
  constructor(
    private readonly statements: Statements,
    private readonly kept: IdentityRows,
    private readonly clock: Clock,
  ) {}

  /** The user if active and not hidden from the viewer. */
  visible(id: string, viewer: string | null): Promise<ShownUser | undefined> {
    return this.kept.read(`visible ${id} ${viewer}`, rowsOfVisible(viewer), () =>
      this.statements.row(VISIBLE, [id, viewer]),
    );
  }

  /** The same by present name, or by one given up within 90 days. */
  async visibleNamed(username: string, viewer: string | null): Promise<ShownUser | undefined> {
    const since = new Date(this.clock.now() - FORMER_USERNAME_MS);
    return this.kept.read(
      `named ${username} ${viewer}`,
      // One that was given up may become another user's by the time alone.
      (user) => (user.isFormerName ? undefined : rowsOfVisible(viewer)(user)),
      () => this.statements.row(VISIBLE_NAMED, [username, viewer, since]),
    );
  }

  /** Those of the users who are active and not hidden from the viewer, in no certain order. */
  async visibleAmong(ids: readonly string[], viewer: string | null): Promise<ShownUser[]> {
    const users = await this.kept.readMany<ShownUser>(ids, {
      nameOf: (id) => `visible ${id} ${viewer}`,
      rowsOf: (id) => rowsOfVisible(viewer)({ id }),
      load: async (missing) => byId(await this.statements.rows(VISIBLE_AMONG, [missing, viewer])),
    });
    return [...users.values()];
  }

  /** Those of the users who are active, in the order of `ids`. */
  async active(ids: readonly string[]): Promise<ShownUser[]> {
    const users = byId(await this.statements.rows(ACTIVE_AMONG, [ids]));
    return ids.flatMap((id) => users.get(id) ?? []);
  }

  /**
   * The account of a session that has not ended, in any status; the session may have expired. For what only shows it; a
   * write asks `signedInNow`.
   */
  signedIn(sessionId: string, userId: string): Promise<SignedInRow | undefined> {
    const rows = [sessionRow(sessionId), userRow(userId)];
    return this.kept.read(
      `signed in ${sessionId} ${userId}`,
      () => rows,
      () => this.signedInNow(sessionId, userId),
    );
  }

  /** The same, never from memory. */
  signedInNow(sessionId: string, userId: string): Promise<SignedInRow | undefined> {
    return this.statements.row(SIGNED_IN, [sessionId, userId]);
  }
}

const rowsOfVisible =
  (viewer: string | null) =>
  ({ id }: Pick<ShownUser, 'id'>): string[] =>
    viewer === null ? [userRow(id)] : [userRow(id), blockRow(id, viewer)];

const byId = (users: readonly ShownUser[]): ReadonlyMap<string, ShownUser> =>
  new Map(users.map((user) => [user.id, user]));
