import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Provider } from '../provider/provider.js';
import { type Checkout, CheckoutRepository } from '../store/checkout.repository.js';
import type { Ending } from '../store/ending.js';
import type { Pair } from '../store/subscription.repository.js';
import { ProviderCalls } from './provider-calls.js';

/** Closes pages on which would be paid for what may not begin any more (SUBS-12). What is paid all the same is paid back. */
@Injectable()
export class CloseCheckouts {
  constructor(
    private readonly checkouts: CheckoutRepository,
    private readonly calls: ProviderCalls,
    private readonly provider: Provider,
  ) {}

  /** Requires the pair's lock: no page is opened meanwhile. */
  async ofPair(pair: Pair, transaction: Transaction): Promise<void> {
    if (!this.provider.isOn) return;
    await this.closeAtProvider(await this.checkouts.closeOfPair(pair, transaction), transaction);
  }

  /** Those of a coach, or of a subscriber. Requires the lock of the user's row: no page is opened meanwhile. */
  async of({ side, userId }: Pick<Ending, 'side' | 'userId'>, transaction: Transaction): Promise<void> {
    if (!this.provider.isOn) return;
    await this.closeAtProvider(await this.checkouts.closeOf(side, userId, transaction), transaction);
  }

  /** One that is still being made is closed by the end of that call. */
  private async closeAtProvider(closed: readonly Checkout[], transaction: Transaction): Promise<void> {
    for (const { id: key, userId, checkoutId } of closed)
      if (checkoutId !== null)
        await this.calls.expireCheckout.enqueue(
          transaction,
          { caller: `user:${userId}`, key },
          { checkoutId },
        );
  }
}
