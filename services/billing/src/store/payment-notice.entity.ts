import { PaymentNoticeKind, type PaymentNoticeState } from '@pulso/contracts/billing/v1/events';
import { OptionalTimeColumn, TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What a payer is told. `second-refunded`: a second subscription to the same coach was ended (SUBS-10). `disputed`: a subscription
 * was ended because a payment of it was disputed (SUBS-34).
 */
export type NoticeKind = 'failed' | 'renewed' | 'refunded' | 'second-refunded' | 'disputed';

/** What a payer is told of one payment (MAIL-12); never changed. Money is in minor units. */
@Entity('payment_notices')
export class PaymentNotice {
  @PrimaryColumn('uuid')
  id!: string;

  /** The payer. */
  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('uuid', { name: 'coach_id' })
  coachId!: string;

  @Column('text')
  kind!: NoticeKind;

  @Column('text', { name: 'provider_subscription_id' })
  providerSubscriptionId!: string;

  /** Names what is told among all that is told of this kind and subscription: it is told once. */
  @Column('text')
  cause!: string;

  @TimeColumn('at')
  at!: number;

  /** What could not be paid, was paid, is paid back, or is disputed. */
  @Column('integer', { name: 'amount_minor' })
  amountMinor!: number;

  @Column('text')
  currency!: string;

  /** Of a failed payment: when access ends unless it is paid. Of a renewal: when the paid period ends. Else null. */
  @OptionalTimeColumn('until')
  until!: number | null;

  @VersionColumn()
  version!: number;
}

const KIND: Readonly<Record<NoticeKind, PaymentNoticeKind>> = {
  failed: PaymentNoticeKind.PAYMENT_NOTICE_KIND_FAILED,
  renewed: PaymentNoticeKind.PAYMENT_NOTICE_KIND_RENEWED,
  refunded: PaymentNoticeKind.PAYMENT_NOTICE_KIND_REFUNDED,
  'second-refunded': PaymentNoticeKind.PAYMENT_NOTICE_KIND_SECOND_REFUNDED,
  disputed: PaymentNoticeKind.PAYMENT_NOTICE_KIND_DISPUTED,
};

export function toPaymentNoticeState(notice: PaymentNotice): PaymentNoticeState {
  const { id, version, userId, coachId, kind, at, amountMinor, currency, until } = notice;
  return {
    id,
    version,
    userId,
    coachId,
    kind: KIND[kind],
    at,
    amountMinor,
    currency,
    until: until ?? undefined,
  };
}
