import { Injectable } from '@nestjs/common';
import { priceIntentTopic } from '@pulso/contracts/topics/identity';
import { nextVersion } from '@pulso/platform/events/version';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { IdentityRows, userRow } from './identity-rows.js';
import type { Price } from './price.js';
import { PriceIntent, toPriceIntentState } from './price-intent.entity.js';

/** Hands prices to billing, which alone stores them (SUBS-4): identity keeps what it asked for until billing's price contains it. */
@Injectable()
export class PriceIntents {
  constructor(
    private readonly clock: Clock,
    private readonly rows: IdentityRows,
  ) {}

  /** The user's row must be locked. */
  async store(userId: string, { minor, currency }: Price, transaction: Transaction): Promise<void> {
    const { manager } = transaction;
    const [row] = await manager.query<{ latest: string | null }[]>(
      `SELECT greatest(
         (SELECT version FROM price_intents WHERE user_id = $1),
         (SELECT intent_version FROM known_prices WHERE coach_id = $1)) AS latest`,
      [userId],
    );
    const latest = row!.latest === null ? undefined : Number(row!.latest);
    const version = nextVersion(latest, this.clock);
    const intent: PriceIntent = { userId, priceMinor: minor, currency, version };
    await manager.getRepository(PriceIntent).upsert(intent, ['userId']);
    await transaction.publish(priceIntentTopic, toPriceIntentState(intent));
    transaction.afterCommit.push(() => this.rows.changed(userRow(userId)));
  }

  /** For a request that asked for the price that is there already; see `Transaction.recordUnchanged`. */
  async recordUnchanged(userId: string, transaction: Transaction): Promise<void> {
    const intent = await transaction.manager.getRepository(PriceIntent).findOneBy({ userId });
    if (intent) transaction.recordUnchanged(priceIntentTopic, toPriceIntentState(intent));
  }

  /** Removes the intent that billing's price contains. */
  async settle(userId: string, intentVersion: number, { manager }: Transaction): Promise<void> {
    await manager.query('DELETE FROM price_intents WHERE user_id = $1 AND version <= $2', [
      userId,
      intentVersion,
    ]);
  }
}
