import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import type { IdentityClient } from '../clients.js';
import type { EndedSessionsSignals } from './ended-sessions-signals.js';

const KEPT_MS = 10 * 60_000;
const POLL_MS = 2_000;
const POLL_DEADLINE_MS = 1_500;

/**
 * Sessions that have ended while their access tokens still look valid (ACCT-21: refused within 5 s). What ends at a
 * gateway is known there at once and to the others by a signal; the poll of identity's list brings everything after a
 * start, what identity ends by itself, and what a lost signal was about.
 */
export class EndedSessions {
  private readonly endedAt = new Map<string, number>();
  private readonly polling: PollingLoop;
  private reachable = true;
  private signalled = true;
  private readOnce = false;

  constructor(
    private readonly identity: IdentityClient,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly signals?: EndedSessionsSignals,
  ) {
    this.polling = new PollingLoop({
      name: 'reading ended sessions',
      everyMs: POLL_MS,
      work: () => this.read(),
      logger,
      ref: false,
    });
  }

  has(sessionId: string): boolean {
    return this.endedAt.has(sessionId);
  }

  /** Rejects until identity's list has been read once: before, a session that has ended might be let in. */
  known(): Promise<void> {
    return this.readOnce ? Promise.resolve() : Promise.reject(new Error('not read yet'));
  }

  start(): void {
    this.polling.start();
    this.polling.nudge();
    this.signals
      ?.listen(() => void this.polling.pass())
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'cannot subscribe to ended sessions; polling instead'),
      );
  }

  async stop(): Promise<void> {
    await this.polling.stop();
  }

  /** A session has ended by a call to this gateway: reads identity's list now and tells the others. Never rejects. */
  async refresh(): Promise<void> {
    await Promise.all([this.polling.pass(), this.signal()]);
  }

  private async signal(): Promise<void> {
    try {
      await this.signals?.send();
      this.signalled = true;
    } catch (error) {
      if (this.signalled)
        this.logger.warn({ err: error }, 'cannot signal an ended session; other gateways will poll it');
      this.signalled = false;
    }
  }

  /** Never rejects: an outage is logged once and not every two seconds. */
  private async read(): Promise<void> {
    try {
      const { sessions } = await this.identity.listEndedSessions({}, { deadlineMs: POLL_DEADLINE_MS });
      for (const { id, endedAt } of sessions) this.endedAt.set(id, endedAt);
      this.forgetOld();
      this.reachable = true;
      this.readOnce = true;
    } catch (error) {
      if (this.reachable) this.logger.warn({ err: error }, 'cannot read ended sessions from identity');
      this.reachable = false;
    }
  }

  private forgetOld(): void {
    const oldest = this.clock.now() - KEPT_MS;
    for (const [id, endedAt] of this.endedAt) if (endedAt <= oldest) this.endedAt.delete(id);
  }
}
