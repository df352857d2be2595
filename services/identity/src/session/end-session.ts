import { Injectable } from '@nestjs/common';
import type { EndSessionRequest, EndSessionResponse } from '@pulso/contracts/identity/v1/identity';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SessionRepository } from '../store/session.repository.js';
import { SignedInAccount } from './signed-in-account.js';

/** Signs one of the caller's devices out. Throws `not-found` when the session is not, or no longer, one of theirs (ACCT-22). */
@Injectable()
export class EndSession {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: EndSessionRequest): Promise<EndSessionResponse> {
    const { id: userId } = await this.signedIn.require();
    const end = (transaction: Transaction) =>
      this.sessions.end({ id, userId }, 'revoked', this.clock.now(), transaction);
    const ended = isId(id) && (await this.writes.run(end));
    if (!ended) throw notFound('Session not found');
    return {};
  }
}
