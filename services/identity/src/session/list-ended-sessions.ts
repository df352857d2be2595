import { Injectable } from '@nestjs/common';
import type { ListEndedSessionsRequest } from '@pulso/contracts/identity/v1/identity';
import { ACCESS_TOKEN_MAX_SECONDS } from '@pulso/platform/auth/access-token';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import type { Session } from '../store/session.entity.js';
import { SessionRepository } from '../store/session.repository.js';

const PAGE = 10_000;
const NIL = '00000000-0000-0000-0000-000000000000';

export interface EndedSessionsPage {
  sessions: Pick<Session, 'id' | 'endedAt'>[];
  more: boolean;
}

/**
 * Sessions that ended so recently that an access token of theirs may still be valid, in the order of their ends
 * (ACCT-21). The window is the longest life that any token may have: one issued before ACCESS_TOKEN_TTL_SECONDS was
 * lowered outlives the present setting. For gateways, so no caller is required.
 */
@Injectable()
export class ListEndedSessions {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ afterEndedAt, afterId }: ListEndedSessionsRequest): Promise<EndedSessionsPage> {
    const oldest = this.clock.now() - ACCESS_TOKEN_MAX_SECONDS * 1000;
    const after =
      afterEndedAt > oldest
        ? { endedAt: afterEndedAt, id: isId(afterId) ? afterId : NIL }
        : { endedAt: oldest, id: NIL };
    const found = await this.sessions.listEnded(after, PAGE + 1);
    return { sessions: found.slice(0, PAGE), more: found.length > PAGE };
  }
}
