import { Injectable } from '@nestjs/common';
import type { DeviceSession, ListSessionsResponse } from '@pulso/contracts/identity/v1/identity';
import { requireCaller } from '@pulso/platform/context/request-context';
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

  async execute(): Promise<ListSessionsResponse> {
    const { id } = await this.signedIn.require();
    const { sessionId } = requireCaller();
    const sessions = await this.sessions.listLive(id, this.clock.now());
    return { sessions: sessions.map((one) => toDeviceSession(one, sessionId)) };
  }
}

function toDeviceSession(session: Session, currentId: string): DeviceSession {
  return {
    id: session.id,
    device: { userAgent: session.userAgent, address: session.address },
    createdAt: session.createdAt,
    lastUsedAt: session.lastUsedAt,
    current: session.id === currentId,
  };
}
