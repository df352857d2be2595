import { Inject, Injectable } from '@nestjs/common';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { Clock } from '@pulso/platform/time/clock';
import { SignedInAccount } from '../account/signed-in-account.js';
import { CLOCK } from '../tokens.js';
import { SessionRepository } from './session.repository.js';

/** Signs one of the caller's devices out. Throws `not-found` for what is not among their sessions (any more). */
@Injectable()
export class EndSession {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly sessions: SessionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(id: string): Promise<void> {
    const { user } = await this.signedIn.require();
    const ended = isId(id) && (await this.sessions.end({ id, userId: user.id }, 'revoked', this.clock.now()));
    if (!ended) throw notFound('Session not found');
  }
}
