import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import type { Session } from '../store/session.entity.js';
import { SessionRepository } from '../store/session.repository.js';
import { SignedInAccount } from './signed-in-account.js';

/** The devices the caller is signed in on, the most recently used first, and which of them is calling (ACCT-22). */
@Injectable()
export class ListSessions {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<{ sessions: Session[]; currentId: string }> {
    const { user, session } = await this.signedIn.require();
    const sessions = await this.sessions.listLive(user.id, this.clock.now());
    return { sessions, currentId: session.id };
  }
}
