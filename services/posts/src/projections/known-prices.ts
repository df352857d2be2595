import { Injectable } from '@nestjs/common';
import type { PriceState } from '@pulso/contracts/billing/v1/events';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ChangeTails } from '@pulso/platform/mongo/change-tails';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { KnownUsers } from './known-users.js';
import { type PriceRow, PriceRows } from './price.schema.js';

/** Posts' projection of prices, which `KnownUsers` shows with the authors (PEOPLE-5). */
@Injectable()
export class KnownPrices extends ProjectedRows<PriceState, PriceRow> {
  readonly topic = priceTopic;

  constructor(
    rows: PriceRows,
    rebuilds: Rebuilds,
    tails: ChangeTails,
    private readonly users: KnownUsers,
  ) {
    super(rows, rebuilds);
    tails.watch<PriceRow>(rows, {
      fields: ['priceMinor', 'currency', 'version'],
      apply: (changed) => this.users.pricesChanged(changed),
      fromNow: true,
    });
  }

  /** The stored version of a price; also updates the cached author to it. */
  override async versionOf(coachId: string): Promise<number | undefined> {
    const row = await this.rows.findOne({ _id: coachId });
    if (row) this.users.pricesChanged([row]);
    return row?.version;
  }

  /** Throws for a malformed id. */
  protected fieldsOf({ coachId, priceMinor, currency }: PriceState) {
    if (!isId(coachId)) throw new Error(`not a user id: ${coachId}`);
    return { priceMinor: priceMinor ?? null, currency };
  }

  protected override written({ coachId }: PriceState): Promise<void> {
    return this.users.readAgain(coachId);
  }

  protected rebuilt(): void {
    this.users.forgetAll();
  }
}
