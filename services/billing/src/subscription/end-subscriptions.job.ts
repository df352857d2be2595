import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { gauge } from '@pulso/platform/telemetry/metrics';
import { Clock } from '@pulso/platform/time/clock';
import { Registry } from 'prom-client';
import type { EndingWorker } from '../projections/ending-worker.js';
import { endFor } from '../store/ending.js';
import { EndingRepository } from '../store/ending.repository.js';
import { lapse } from '../store/subscription.js';
import { SubscriptionRepository } from '../store/subscription.repository.js';
import { EndAtProvider, refundOf } from '../provider-calls/end-at-provider.js';
import { SyncRequests } from '../inbox/sync-requests.js';

/** The subscriptions that one transaction ends: some tenths of a second of work. */
const BATCH_SIZE = 200;
/** Endings nudge the job, and access ends at its time by itself: this is how late such a row is cancelled. */
const POLL_MS = 10_000;
const BACKOFF = { firstMs: 1_000, longestMs: POLL_MS };
/** A coach's hundred thousand subscriptions are 500 batches. What a given-up pass has ended stays ended. */
const PASS_LIMIT_MS = 10 * 60_000;

/**
 * Ends subscriptions of users whom they can no longer concern (SUBS-12), and cancels those whose access has lapsed.
 * An ending is removed in the transaction of its last batch, so a crash delays it and repeats nothing.
 */
@Injectable()
export class EndSubscriptions implements EndingWorker, OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    private readonly endings: EndingRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly atProvider: EndAtProvider,
    private readonly requests: SyncRequests,
    private readonly writes: Writes,
    private readonly clock: Clock,
    logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'ending of subscriptions',
      everyMs: POLL_MS,
      work: (stopping) => this.execute(stopping),
      backoff: BACKOFF,
      logger,
      ref: false,
      limitMs: PASS_LIMIT_MS,
      registry,
    });
    gauge(registry, {
      name: 'pulso_billing_endings_waiting',
      help: 'Coaches and deleted subscribers whose subscriptions are still to be ended',
      async collect() {
        this.set(await endings.waiting());
      },
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.loop.nudge();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  nudge(): void {
    this.loop.nudge();
  }

  async execute(stopping?: AbortSignal): Promise<void> {
    const isGoingOn = () => !stopping?.aborted;
    while (isGoingOn() && (await this.writes.run((transaction) => this.endBatch(transaction))));
    while (
      isGoingOn() &&
      (await this.writes.run((transaction) => this.cancelLapsed(transaction))) === BATCH_SIZE
    );
  }

  /** Returns whether there may be more. */
  private async endBatch(transaction: Transaction): Promise<boolean> {
    const ending = await this.endings.lockNext(transaction);
    if (!ending) return false;
    const found = await this.endings.lockConcerned(ending, BATCH_SIZE, transaction);
    const now = this.clock.now();
    const changes = found.map((before) => ({ before, after: endFor(ending.reason, before, now) }));
    for (const change of changes)
      await this.atProvider.follow(change, ending.reason, refundOf(ending.reason), transaction);
    await this.subscriptions.saveAll(changes, ending.reason, transaction);
    if (found.length < BATCH_SIZE) await this.endings.remove(ending, transaction);
    return true;
  }

  /** Returns how many it has cancelled. */
  private async cancelLapsed(transaction: Transaction): Promise<number> {
    const found = await this.subscriptions.lockLapsed(BATCH_SIZE, transaction);
    const now = this.clock.now();
    const changes = found.map((before) => ({ before, after: lapse(before, now) }));
    // The provider may know better: a payment that has just arrived, or a subscription that goes on after all.
    for (const { providerSubscriptionId } of found)
      if (providerSubscriptionId)
        await this.requests.orderFor(providerSubscriptionId, 'pulso.access-lapsed', transaction);
    await this.subscriptions.saveAll(changes, 'lapsed', transaction);
    return found.length;
  }
}
