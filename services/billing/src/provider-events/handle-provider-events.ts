import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { groupBy } from '@pulso/platform/collections/group-by';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { Registry } from 'prom-client';
import { PayoutAccountReads } from '../provider-calls/payout-account-reads.js';
import { Provider } from '../provider/provider.js';
import { readLimit } from '../provider/read-limit.js';
import { SyncCustomer } from '../sync/sync-customer.js';
import { Inbox, type TakenEvent } from '../inbox/inbox.js';
import { ProviderEventMetrics } from './provider-event-metrics.js';

/** The events that are worked on at once: each customer is one request to the provider, some of which may hang. */
const AT_ONCE = 20;
/** New events nudge the worker; this is for those that are due again, or that another process has left. */
const POLL_MS = 2_000;
const BACKOFF = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Handles the provider's events: reads what each is about again and writes its state, so that duplicates and disorder are
 * harmless (SUBS-17). One that fails waits and is tried again, for as long as it takes.
 */
@Injectable()
export class HandleProviderEvents implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    private readonly provider: Provider,
    private readonly inbox: Inbox,
    private readonly sync: SyncCustomer,
    private readonly accounts: PayoutAccountReads,
    private readonly metrics: ProviderEventMetrics,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'handling of provider events',
      everyMs: POLL_MS,
      work: (stopping) => this.execute(stopping),
      backoff: BACKOFF,
      logger,
      ref: false,
      registry,
    });
    inbox.onNew(() => this.loop.nudge());
  }

  onApplicationBootstrap(): void {
    if (!this.provider.isOn) return;
    this.loop.start();
    this.loop.nudge();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Handles all events that are due. */
  async execute(stopping?: AbortSignal): Promise<void> {
    while (!stopping?.aborted) {
      const taken = await this.inbox.take(AT_ONCE);
      const subjects = groupBy(
        taken,
        ({ accountId, customerId, disputeId }) => accountId ?? customerId ?? disputeId,
      );
      await Promise.all([...subjects.values()].map((events) => this.handle(events, stopping)));
      if (taken.length < AT_ONCE) return;
    }
  }

  /** Handles an event now, whether or not it was handled before. Throws what the provider throws. */
  async again(event: TakenEvent): Promise<void> {
    await this.readAgain(event, undefined);
    await this.inbox.handled([event]);
  }

  /** Events about one customer or account: it is read once for all of them. */
  private async handle(events: readonly TakenEvent[], stopping: AbortSignal | undefined): Promise<void> {
    const { id, customerId, accountId, disputeId } = events[0]!;
    try {
      await this.readAgain(events[0]!, stopping);
      await this.inbox.handled(events);
    } catch (error) {
      const attempts = Math.max(...events.map((event) => event.attempts));
      this.logger.warn(
        { err: error, id, customerId, accountId, disputeId, attempts },
        'a provider event failed, will be retried',
      );
      this.metrics.failed(events.length);
      await this.inbox.failed(events, error instanceof Error ? error.message : String(error));
    }
  }

  private async readAgain(
    { customerId, accountId, disputeId }: Pick<TakenEvent, 'customerId' | 'accountId' | 'disputeId'>,
    stopping: AbortSignal | undefined,
  ): Promise<void> {
    if (accountId !== null) return void (await this.accounts.readAgain(accountId, stopping));
    const payer = customerId ?? (disputeId && (await this.payerOf(disputeId, stopping)));
    if (payer) await this.sync.execute(payer, stopping);
  }

  private payerOf(disputeId: string, stopping: AbortSignal | undefined): Promise<string | null> {
    return this.provider.payerOfDispute(disputeId, readLimit(stopping));
  }
}
