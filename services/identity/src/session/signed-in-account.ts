import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { tokenExpired } from '@pulso/platform/errors/domain-error';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { Clock } from '@pulso/platform/time/clock';
import { ShownUsersRepository, type SignedInRow } from '../store/shown-users.repository.js';

/** The access check of every use case about the caller's own account. Both methods throw the same. */
@Injectable()
export class SignedInAccount {
  constructor(
    private readonly users: ShownUsersRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller's account, with the times of the session. Throws `not-authenticated` for visitors, `user-token-expired` when the session
   * has ended although the access token has not expired, `user-disabled`.
   */
  async require(): Promise<SignedInRow> {
    const { userId, sessionId } = requireCaller();
    return this.check(await this.users.signedInNow(sessionId, userId));
  }

  /** For what only shows the account: what this process has read within the last second may do; see `IdentityRows`. */
  async requireShown(): Promise<SignedInRow> {
    const { userId, sessionId } = requireCaller();
    return this.check(await this.users.signedIn(sessionId, userId));
  }

  private check(account: SignedInRow | undefined): SignedInRow {
    if (!account || account.sessionExpiresAt <= this.clock.now() || account.status === 'deleted')
      throw tokenExpired();
    if (account.status === 'suspended') throw userDisabled();
    return account;
  }
}
