import { Injectable } from '@nestjs/common';
import type { LogOutRequest, LogOutResponse } from '@pulso/contracts/identity/v1/identity';
import { currentContext } from '@pulso/platform/context/request-context';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Session } from '../store/session.entity.js';
import { SessionRepository } from '../store/session.repository.js';
import { hashRefreshToken, RefreshTokens } from './refresh-token.js';

/**
 * Ends the session of the refresh token and the session of the caller's access token, if there are any; never fails.
 * Returns the user of the refresh token's session (ACCT-20).
 */
@Injectable()
export class LogOut {
  constructor(
    private readonly writes: Writes,
    private readonly sessions: SessionRepository,
    private readonly refreshTokens: RefreshTokens,
    private readonly clock: Clock,
  ) {}

  async execute({ refreshToken }: LogOutRequest): Promise<LogOutResponse> {
    const ofToken = await this.sessionOf(refreshToken);
    const ofCaller = currentContext()?.caller?.sessionId;
    const now = this.clock.now();
    await this.writes.run(async (transaction) => {
      for (const id of new Set([ofToken?.id, ofCaller])) {
        if (id !== undefined) await this.sessions.end({ id }, 'logout', now, transaction);
      }
    });
    return { userId: ofToken?.userId ?? '' };
  }

  /** Also when it has ended or expired, and by a token that we issued and store no longer. */
  private async sessionOf(refreshToken: string): Promise<Session | null> {
    const hash = hashRefreshToken(refreshToken);
    if (!hash) return null;
    return this.sessions.findByToken(hash, this.refreshTokens.sessionIdOf(refreshToken));
  }
}
