import { Injectable } from '@nestjs/common';
import type { PriceIntentState } from '@pulso/contracts/identity/v1/events';
import { priceIntentTopic } from '@pulso/contracts/topics/identity';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { PriceRepository } from '../store/price.repository.js';

/**
 * Makes the prices that coaches ask identity for into billing's own. A projection, so that what was missed comes with
 * `republish price-intent`; an intent that identity has removed stays a price.
 */
@Injectable()
export class KnownPriceIntents extends ProjectionTable<PriceIntentState> {
  constructor(
    store: ProjectionStore,
    private readonly prices: PriceRepository,
  ) {
    super(store, {
      topic: priceIntentTopic,
      table: 'known_price_intents',
      key: ['user_id'],
      columns: ({ priceMinor, currency }) => ({ price_minor: priceMinor ?? null, currency }),
    });
  }

  protected override async afterRowWritten(
    _key: readonly string[],
    intent: PriceIntentState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (!intent) return;
    const { userId: coachId, priceMinor = null, currency, version } = intent;
    await this.prices.apply({ coachId, priceMinor, currency, version }, transaction);
  }
}
