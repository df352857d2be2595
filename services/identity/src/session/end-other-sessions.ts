import { Injectable } from '@nestjs/common';
import type { EndOtherSessionsResponse } from '@pulso/contracts/identity/v1/identity';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SessionRepository } from '../store/session.repository.js';
import { SignedInAccount } from './signed-in-account.js';

/** Signs all of the caller's devices out but the one of the call (ACCT-22). */
@Injectable()
export class EndOtherSessions {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<EndOtherSessionsResponse> {
    const { id } = await this.signedIn.require();
    const { sessionId } = requireCaller();
    await this.writes.run((transaction) =>
      this.sessions.endAll(id, 'revoked', this.clock.now(), transaction, sessionId),
    );
    return {};
  }
}
