import { Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { tokenExpired } from '@pulso/platform/errors/domain-error';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { Clock } from '@pulso/platform/time/clock';
import type { Session } from '../store/session.entity.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/** The access check of every use case about the caller's own account. */
@Injectable()
export class SignedInAccount {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The caller's account and session. Throws `not-authenticated` for visitors, `user-token-expired` when the session
   * has ended although the access token has not expired, `user-disabled`.
   */
  async require(): Promise<{ user: User; session: Session }> {
    const { userId, sessionId } = requireCaller();
    const [user, session] = await Promise.all([
      this.users.findById(userId),
      this.sessions.findLive(sessionId, this.clock.now()),
    ]);
    if (!user || session?.userId !== userId || user.status === 'deleted') throw tokenExpired();
    if (user.status === 'suspended') throw userDisabled();
    return { user, session };
  }
}
