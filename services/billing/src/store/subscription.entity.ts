import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { safeInteger } from '@pulso/platform/postgres/column-transformers';
import { OptionalTimeColumn, TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NO_TERMS, type SubscriptionStatus, type Terms } from './subscription.js';

/** A member's one subscription to a coach, current or ended; the key allows no second (SUBS-10). */
@Entity('subscriptions')
export class Subscription implements Terms {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('uuid', { name: 'coach_id' })
  coachId!: string;

  @Column('uuid')
  id!: string;

  @Column('text', { name: 'plan_type' })
  planType!: 'monthly';

  @Column('text')
  status!: SubscriptionStatus;

  @OptionalTimeColumn('start_date')
  startDate!: number | null;

  @TimeColumn('created_at')
  createdAt!: number;

  @OptionalTimeColumn('cancelled_at')
  cancelledAt!: number | null;

  @OptionalTimeColumn('current_period_end')
  currentPeriodEnd!: number | null;

  @Column('boolean', { name: 'cancel_at_period_end' })
  cancelAtPeriodEnd!: boolean;

  @OptionalTimeColumn('access_until')
  accessUntil!: number | null;

  @Column('integer', { name: 'price_minor', nullable: true })
  priceMinor!: number | null;

  @Column('text', { name: 'price_currency', nullable: true })
  priceCurrency!: string | null;

  @Column('text', { name: 'provider_subscription_id', nullable: true })
  providerSubscriptionId!: string | null;

  @Column('text', { name: 'provider_customer_id', nullable: true })
  providerCustomerId!: string | null;

  @OptionalTimeColumn('unpaid_since')
  unpaidSince!: number | null;

  @Column('boolean', { name: 'ever_active' })
  everActive!: boolean;

  /** Whether it gave access when it was written last: it is counted until a later write. */
  @Column('boolean', { name: 'gives_access' })
  givesAccess!: boolean;

  /** Grows with each beginning of any subscription, so that an ending leaves alone what has begun after it. */
  @Column('bigint', { transformer: safeInteger })
  begun!: number;

  @VersionColumn()
  version!: number;
}

/** A row that nothing has happened to yet. There is one plan (SUBS-15). */
export function newSubscription(
  { userId, coachId }: Pick<Subscription, 'userId' | 'coachId'>,
  now: number,
): Subscription {
  return {
    ...NO_TERMS,
    ...{ id: newIdAt(now), userId, coachId, planType: 'monthly', createdAt: now },
    ...{ givesAccess: false, begun: 0, version: 0 },
  };
}

export function toSubscriptionState(subscription: Subscription): SubscriptionState {
  const { userId, coachId, version, givesAccess: active, accessUntil, everActive } = subscription;
  return { userId, coachId, version, active, everActive, accessUntil: (active && accessUntil) || undefined };
}
