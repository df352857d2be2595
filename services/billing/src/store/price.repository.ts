import { Injectable } from '@nestjs/common';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { nextVersion } from '@pulso/platform/events/version';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { CoachPrice, NO_PRICE, type Price, toPriceState } from './coach-price.entity.js';

const OF = statement<Price>(
  'prices.of',
  'SELECT price_minor AS "priceMinor", currency FROM coach_prices WHERE coach_id = $1::uuid',
);

@Injectable()
export class PriceRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  async of(coachId: string): Promise<Price> {
    return (await this.statements.row(OF, [coachId])) ?? NO_PRICE;
  }

  /**
   * Stores the price that an intent asks for and publishes it, unless it contains a newer one already. Requires the lock of
   * the intent's row.
   */
  async apply(
    { coachId, version: intentVersion, ...price }: Price & { coachId: string; version: number },
    transaction: Transaction,
  ): Promise<void> {
    const rows = transaction.manager.getRepository(CoachPrice);
    const previous = await rows.findOneBy({ coachId });
    if (previous && previous.intentVersion >= intentVersion) return;
    const version = nextVersion(previous?.version, this.clock);
    const next: CoachPrice = { coachId, ...price, intentVersion, version };
    await rows.upsert(next, ['coachId']);
    await this.keep(next, transaction);
    await transaction.publish(priceTopic, toPriceState(next));
  }

  /** The price as a payment provider will know it (SUBS-7): there once, whenever it is asked for again. */
  private async keep({ coachId, priceMinor, currency }: CoachPrice, { manager }: Transaction): Promise<void> {
    if (priceMinor === null || priceMinor === 0) return;
    const now = this.clock.now();
    await manager.query(
      `INSERT INTO prices (id, coach_id, amount_minor, currency, "interval", created_at)
       VALUES ($1, $2, $3, $4, 'month', $5) ON CONFLICT ON CONSTRAINT prices_key DO NOTHING`,
      [newIdAt(now), coachId, priceMinor, currency, new Date(now)],
    );
  }
}
