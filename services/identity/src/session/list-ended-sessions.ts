import { Injectable } from '@nestjs/common';
import type {
  ListEndedSessionsRequest,
  ListEndedSessionsResponse,
} from '@pulso/contracts/identity/v1/identity';
import { ACCESS_TOKEN_MAX_SECONDS } from '@pulso/platform/auth/access-token';
import { isId, NIL_ID } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { SessionRepository } from '../store/session.repository.js';

const PAGE_SIZE = 10_000;

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

  async execute({ afterEndedAt, afterId }: ListEndedSessionsRequest): Promise<ListEndedSessionsResponse> {
    const oldest = this.clock.now() - ACCESS_TOKEN_MAX_SECONDS * 1000;
    const after =
      afterEndedAt > oldest
        ? { endedAt: afterEndedAt, id: isId(afterId) ? afterId : NIL_ID }
        : { endedAt: oldest, id: NIL_ID };
    const found = await this.sessions.listEnded(after, PAGE_SIZE + 1);
    const sessions = found.slice(0, PAGE_SIZE).map(({ id, endedAt }) => ({ id, endedAt: endedAt! }));
    return { sessions, more: found.length > PAGE_SIZE };
  }
}
