import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { IdentitySettings } from '../settings.js';
import type { Session } from './session.entity.js';
import { SessionRepository } from './session.repository.js';

const AT_LEAST_MS = 10 * 60 * 1000;

/**
 * Sessions that ended so recently that an access token of theirs may still be valid. For gateways, so no caller is
 * required.
 */
@Injectable()
export class ListEndedSessions {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly settings: IdentitySettings,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<Pick<Session, 'id' | 'endedAt'>[]> {
    const window = Math.max(AT_LEAST_MS, this.settings.ACCESS_TOKEN_TTL_SECONDS * 1000);
    return this.sessions.listEnded(this.clock.now() - window);
  }
}
