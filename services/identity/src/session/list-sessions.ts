import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@pulso/platform/time/clock';
import { SignedInAccount } from '../account/signed-in-account.js';
import { CLOCK } from '../tokens.js';
import type { Session } from './session.entity.js';
import { SessionRepository } from './session.repository.js';

/** The devices the caller is signed in on, last used first, and which of them is calling. */
@Injectable()
export class ListSessions {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly sessions: SessionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(): Promise<{ sessions: Session[]; currentId: string }> {
    const { user, session } = await this.signedIn.require();
    const sessions = await this.sessions.listLive(user.id, this.clock.now());
    return { sessions, currentId: session.id };
  }
}
