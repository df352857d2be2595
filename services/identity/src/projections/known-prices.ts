import { Injectable } from '@nestjs/common';
import type { PriceState } from '@pulso/contracts/billing/v1/events';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { DIRECTORY, DirectoryRows } from '../store/directory-rows.js';
import { IdentityRows, userRow } from '../store/identity-rows.js';
import { PriceIntents } from '../store/price-intents.js';

/** Identity's projection of prices. One that contains the user's intent replaces it in the same transaction. */
@Injectable()
export class KnownPrices extends ProjectionTable<PriceState> {
  constructor(
    store: ProjectionStore,
    private readonly intents: PriceIntents,
    private readonly rows: IdentityRows,
    private readonly pages: DirectoryRows,
  ) {
    super(store, {
      topic: priceTopic,
      table: 'known_prices',
      key: ['coach_id'],
      columns: ({ priceMinor, currency, intentVersion }) => ({
        price_minor: priceMinor ?? null,
        currency,
        intent_version: intentVersion,
      }),
    });
  }

  /** The coaches with a row: their price is known, also that they have none. */
  async coachIds(): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'SELECT coach_id AS id FROM known_prices ORDER BY coach_id',
    );
    return rows.map(({ id }) => id);
  }

  protected override async afterRowWritten(
    [coachId]: readonly string[],
    price: PriceState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (price) await this.intents.settle(coachId!, price.intentVersion, transaction);
    transaction.afterCommit.push(() => {
      this.rows.changed(userRow(coachId!));
      this.pages.changed(DIRECTORY);
    });
  }
}
