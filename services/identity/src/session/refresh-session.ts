import { Injectable } from '@nestjs/common';
import type { Device, RefreshSessionRequest, Session } from '@pulso/contracts/identity/v1/identity';
import { notAuthenticated, tokenExpired } from '@pulso/platform/errors/domain-error';
import { userDisabled } from '@pulso/platform/errors/user-errors';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { rotate } from '../store/rotation.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { hashRefreshToken, RefreshTokens } from './refresh-token.js';
import { type IssuedToken, SessionIssuer } from './session-issuer.js';

/**
 * Exchanges a refresh token for its successor and a new access token (ACCT-19; `rotation.ts`). Throws
 * `not-authenticated` without a token, and `user-token-expired` for a token that is unknown, expired, reused, or of
 * an ended session.
 */
@Injectable()
export class RefreshSession {
  constructor(
    private readonly writes: Writes,
    private readonly sessions: SessionRepository,
    private readonly users: UserRepository,
    private readonly issuer: SessionIssuer,
    private readonly refreshTokens: RefreshTokens,
    private readonly clock: Clock,
  ) {}

  async execute({ refreshToken, device }: RefreshSessionRequest): Promise<Session> {
    if (refreshToken === '') throw notAuthenticated();
    const hash = hashRefreshToken(refreshToken);
    if (!hash) throw tokenExpired();
    // Thrown after the commit: the session of a reused token must stay ended.
    const rotated = await this.writes.run((transaction) =>
      this.rotate({ refreshToken, hash }, device, transaction),
    );
    if (!rotated) throw tokenExpired();
    return this.issuer.signIn(rotated.user, rotated.issued);
  }

  private async rotate(
    { refreshToken, hash }: { refreshToken: string; hash: Buffer },
    device: Device | undefined,
    transaction: Transaction,
  ): Promise<{ user: User; issued: IssuedToken } | undefined> {
    const found = await this.sessions.lockByToken(hash, transaction);
    // Read under the lock, so that times follow the order of the rotations.
    const now = this.clock.now();
    if (!found) {
      // The family has forgotten the token, which was spent long ago: a reuse like any other.
      const id = this.refreshTokens.sessionIdOf(refreshToken);
      if (id !== undefined) await this.sessions.end({ id }, 'reuse', now, transaction);
      return undefined;
    }
    if (found.session.endedAt !== null || found.token.expiresAt <= now) return undefined;
    const { session, token } = found;

    const rotation = rotate(token, session, now);
    if (rotation === 'reuse') {
      await this.sessions.end({ id: session.id }, 'reuse', now, transaction);
      return undefined;
    }
    const user = await this.users.findById(session.userId, transaction);
    if (!user || user.status === 'deleted') return undefined;
    if (user.status === 'suspended') throw userDisabled();

    if (rotation.supersedes) {
      await this.sessions.supersede(session.id, rotation.generation, now, transaction);
      session.generation = rotation.generation;
    }
    const issued = await this.issuer.renew(session, device, rotation.next, transaction);
    return { user, issued };
  }
}
