import { Injectable } from '@nestjs/common';
import { paymentNoticeTopic } from '@pulso/contracts/topics/billing';
import { nextVersion } from '@pulso/platform/events/version';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { statement } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { type PaymentNotice, toPaymentNoticeState } from './payment-notice.entity.js';

/** A notice that is not stored yet. */
export type NewNotice = Omit<PaymentNotice, 'id' | 'at' | 'version'>;

const ADD = statement<{ id: string }>(
  'payment-notices.add',
  `INSERT INTO payment_notices
     (id, user_id, coach_id, kind, provider_subscription_id, cause, at, amount_minor, currency, until, version)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   ON CONFLICT ON CONSTRAINT payment_notices_cause_key DO NOTHING RETURNING id`,
);

@Injectable()
export class PaymentNoticeRepository {
  constructor(private readonly clock: Clock) {}

  /** Stores and publishes those whose cause was not told yet, in the commit of what they tell. */
  async add(notices: readonly NewNotice[], transaction: Transaction): Promise<void> {
    for (const notice of notices) await this.addOne(notice, transaction);
  }

  private async addOne(notice: NewNotice, transaction: Transaction): Promise<void> {
    const at = this.clock.now();
    const stored = { ...notice, id: newIdAt(at), at, version: nextVersion(undefined, this.clock) };
    const { id, userId, coachId, kind, providerSubscriptionId, cause, amountMinor, currency, until } = stored;
    const added = await transaction.rows(ADD, [
      ...[id, userId, coachId, kind, providerSubscriptionId, cause, new Date(at), amountMinor, currency],
      ...[until === null ? null : new Date(until), stored.version],
    ]);
    if (added.length > 0) await transaction.publish(paymentNoticeTopic, toPaymentNoticeState(stored));
  }
}
