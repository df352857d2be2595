import { ACCESS_TOKEN_MAX_SECONDS, type VerifiedCaller } from '@pulso/platform/auth/access-token';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Signals } from '@pulso/platform/signals/signals';
import type { Clock } from '@pulso/platform/time/clock';
import type { IdentityClient } from '../clients.js';
import type { Registry } from '../http/guards/http-metrics.js';

/** Tells every gateway that identity's list has grown. */
const CHANNEL = 'ended-sessions';

const MINUTE_MS = 60_000;
/** Longer than any access token is valid, by as much as the clocks may differ. */
const REMEMBERED_MS = ACCESS_TOKEN_MAX_SECONDS * 1000 + MINUTE_MS;
const POLL_MS = 2_000;
const POLL_DEADLINE_MS = 1_500;
/** This much is read again each time: the list is in the order of identity's clocks and not of commits. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** About 60 MB; 140 sessions would have to end each second of an hour. */
const MAX_ENDED_SESSIONS = 500_000;
/** A refresh under way while the session ends signs its token a moment after the end. */
const SIGNED_LATE_MS = 10_000;

export interface EndedSessionsOptions {
  identity: IdentityClient;
  clock: Clock;
  logger: Logger;
  registry?: Registry;
  /** To and from the other gateways. */
  signals: Signals;
  /** At most so many sessions are remembered one by one: 500,000 unless given. */
  keptMax?: number;
}

/**
 * Sessions that have ended while their access tokens still look valid (ACCT-21: refused within 5 s). What ends at a
 * gateway is known there at once and to the others by a signal; the poll of identity's list brings everything after a
 * start, what identity ends by itself, and what a lost signal was about.
 */
export class EndedSessions {
  /** Nearly in the order of their ends. */
  private readonly endedAt = new Map<string, number>();
  private readonly polling: PollingLoop;
  /** Until when identity's list has been read, by identity's clock. */
  private readUntil = 0;
  /** Tokens issued until then may be of a session that was forgotten to bound the memory. */
  private forgottenUntil = 0;
  private reachable = true;
  private readOnce = false;
  private endListening: () => void = () => undefined;
  private readonly readers = new Set<() => void>();

  constructor(private readonly options: EndedSessionsOptions) {
    this.polling = new PollingLoop({
      name: 'reading ended sessions',
      everyMs: POLL_MS,
      work: (stopping) => this.read(stopping),
      logger: options.logger,
      ref: false,
      registry: options.registry,
    });
  }

  /** Whether the session has ended of what was issued then, or may have: a client whose session goes on gets past it by a refresh. */
  refuses({ sessionId, issuedAt }: Pick<VerifiedCaller, 'sessionId' | 'issuedAt'>): boolean {
    return this.endedAt.has(sessionId) || issuedAt <= this.forgottenUntil;
  }

  /** False until identity's list has been read once: before, a session that has ended might be let in. */
  get isKnown(): boolean {
    return this.readOnce;
  }

  /** Calls `listener` after each reading of the list: whoever was let in earlier may be refused now. */
  onRead(listener: () => void): void {
    this.readers.add(listener);
  }

  /** Resolves when the first reading has succeeded or failed; it is repeated from then on. Never rejects. */
  async start(): Promise<void> {
    // What is told before the first reading is in it.
    let reads = false;
    const read = () => {
      if (reads) void this.readNow();
    };
    this.endListening = this.options.signals.listen({
      heard: (channel) => {
        if (channel === CHANNEL) read();
      },
      resumed: read,
    });
    this.polling.start();
    reads = true;
    await this.readNow();
  }

  async stop(): Promise<void> {
    this.endListening();
    await this.polling.stop();
  }

  /** A session has ended by a call to this gateway: reads identity's list now and tells the others. Never rejects. */
  async refresh(): Promise<void> {
    this.options.signals.send(CHANNEL);
    await this.readNow();
  }

  /** Never rejects: a reading that takes too long is repeated. */
  private async readNow(): Promise<void> {
    try {
      await this.polling.pass();
    } catch (error) {
      this.options.logger.warn({ err: error }, 'reading ended sessions took too long, will be retried');
    }
  }

  /** Never rejects: an outage is logged once and not every two seconds. */
  private async read(stopping: AbortSignal): Promise<void> {
    try {
      const isComplete = await this.readPages(stopping);
      this.forgetOld();
      this.reachable = true;
      this.readOnce ||= isComplete;
    } catch (error) {
      if (this.reachable)
        this.options.logger.warn({ err: error }, 'cannot read ended sessions from identity');
      this.reachable = false;
    }
    for (const reader of this.readers) reader();
  }

  /** Returns false if it was stopped before the end: the next reading goes on from there. */
  private async readPages(stopping: AbortSignal): Promise<boolean> {
    const deadline = { deadlineMs: POLL_DEADLINE_MS };
    let position = { afterEndedAt: Math.max(0, this.readUntil - OVERLAP_MS), afterId: '' };
    for (;;) {
      const { sessions, more } = await this.options.identity.listEndedSessions(position, deadline);
      for (const { id, endedAt } of sessions) this.remember(id, endedAt);
      const last = sessions.at(-1);
      if (last) position = { afterEndedAt: last.endedAt, afterId: last.id };
      if (!more || last === undefined) return true;
      if (stopping.aborted) return false;
    }
  }

  private remember(id: string, endedAt: number): void {
    this.endedAt.set(id, endedAt);
    this.readUntil = Math.max(this.readUntil, endedAt);
    if (this.endedAt.size <= (this.options.keptMax ?? MAX_ENDED_SESSIONS)) return;
    for (const [oldest, end] of this.endedAt) {
      this.endedAt.delete(oldest);
      this.forgottenUntil = Math.max(this.forgottenUntil, end + SIGNED_LATE_MS);
      return;
    }
  }

  private forgetOld(): void {
    const oldest = this.options.clock.now() - REMEMBERED_MS;
    for (const [id, endedAt] of this.endedAt) {
      if (endedAt > oldest) return;
      this.endedAt.delete(id);
    }
  }
}
