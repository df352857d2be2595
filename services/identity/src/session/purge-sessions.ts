import { Injectable } from '@nestjs/common';
import { untilLessThan } from '@pulso/platform/jobs/delete-in-batches';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { SessionRepository } from '../store/session.repository.js';

/** Longer than any list of ended sessions reaches back, and longer than any access token lives. */
const ENDED_SESSION_KEPT_MS = 24 * 60 * 60 * 1000;
const SESSIONS_PER_BATCH = 500;

/** Deletes sessions a day after they ended or expired, and refresh tokens a day after they expired. Can be aborted. */
@Injectable()
export class PurgeSessions {
  constructor(
    private readonly writes: Writes,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {}

  async execute(stopping: AbortSignal): Promise<void> {
    const before = this.clock.now() - ENDED_SESSION_KEPT_MS;
    const purge = () =>
      this.writes.run((transaction) => this.sessions.purge(before, SESSIONS_PER_BATCH, transaction));
    await untilLessThan(SESSIONS_PER_BATCH, stopping, purge);
    await this.sessions.purgeTokens(before, stopping);
  }
}
