import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@pulso/platform/time/clock';
import { CLOCK } from '../tokens.js';
import { SessionRepository } from './session.repository.js';

/** Long enough for every list of ended sessions and every access token. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;

/** Forgets sessions a day after they ended or expired, and tokens that can no longer tell anything. */
@Injectable()
export class PurgeSessions {
  constructor(
    private readonly sessions: SessionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    const before = this.clock.now() - KEPT_MS;
    while ((await this.sessions.purge(before, BATCH)) === BATCH);
    await this.sessions.purgeTokens(before);
  }
}
