import { Injectable } from '@nestjs/common';
import { currentContext } from '@pulso/platform/context/request-context';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { hashRefreshToken } from './refresh-token.js';
import { SessionRepository } from './session.repository.js';

/**
 * Ends the session of the refresh token and the session of the caller's access token, if there are any; never fails.
 * Returns the user of the refresh token's session.
 */
@Injectable()
export class LogOut {
  constructor(
    private readonly writes: Writes,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  async execute(refreshToken: string): Promise<string | undefined> {
    const hash = hashRefreshToken(refreshToken);
    const ofToken = hash && (await this.sessions.findByToken(refreshToken, hash));
    const ofCaller = currentContext()?.caller?.sessionId;
    const now = this.clock.now();
    await this.writes.run(async (transaction) => {
      for (const id of new Set([ofToken?.id, ofCaller])) {
        if (id !== undefined) await this.sessions.end({ id }, 'logout', now, transaction);
      }
    });
    return ofToken?.userId;
  }
}
