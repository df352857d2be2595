import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { tokenExpired } from '@pulso/platform/errors/domain-error';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SessionRepository } from '../store/session.repository.js';
import { ShownUsersRepository, type SignedInRow } from '../store/shown-users.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/** The access check of every use case about the caller's own account. */
@Injectable()
export class SignedInAccount {
  constructor(
    private readonly shown: ShownUsersRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller's account, with the times of the session. Throws `not-authenticated` for visitors, `user-token-expired` when the session
   * has ended although the access token has not expired, `user-disabled`.
   */
  async require(): Promise<SignedInRow> {
    const { userId, sessionId } = requireCaller();
    return this.check(await this.shown.signedInNow(sessionId, userId));
  }

  /** The same for what only shows the account: what this process has read within the last second may do; see `IdentityRows`. */
  async requireShown(): Promise<SignedInRow> {
    const { userId, sessionId } = requireCaller();
    return this.check(await this.shown.signedIn(sessionId, userId));
  }

  /**
   * The caller's row, locked until the transaction ends, for a change that `require` has allowed. Throws `user-token-expired`: the
   * session may have ended since, by a new password, which takes back what that session has asked for (ACCT-41).
   */
  async lock(transaction: Transaction): Promise<User> {
    const { userId, sessionId } = requireCaller();
    const user = await this.users.lockById(userId, transaction);
    // Read after the lock: a new password ends the sessions under the same one.
    const isSignedIn =
      user?.status === 'active' && (await this.sessions.isOpen({ id: sessionId, userId }, transaction));
    if (!isSignedIn) throw tokenExpired();
    return user;
  }

  private check(account: SignedInRow | undefined): SignedInRow {
    if (!account || account.sessionExpiresAt <= this.clock.now() || account.status === 'deleted')
      throw tokenExpired();
    if (account.status === 'suspended') throw userDisabled();
    return account;
  }
}
