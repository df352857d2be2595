import { Injectable } from '@nestjs/common';
import type { ExportedSection } from '@pulso/platform/export/export-page';
import type { UserExport } from '@pulso/platform/export/user-export';
import { columns, type ExportedTable, exportedTable } from '@pulso/platform/postgres/exported-table';
import { Statements } from '@pulso/platform/postgres/statements';

export const EXPORTED: readonly ExportedTable[] = [
  {
    name: 'subscriptions',
    table: 'subscriptions',
    where: 'user_id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: columns(
      'id',
      'coach_id',
      'plan_type',
      'status',
      'start_date',
      'created_at',
      'cancelled_at',
      'current_period_end',
      'cancel_at_period_end',
      'access_until',
      'price_minor',
      'price_currency',
      'provider_subscription_id',
    ),
  },
  {
    name: 'paymentNotices',
    table: 'payment_notices',
    where: 'user_id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: columns('id', 'coach_id', 'kind', 'at', 'amount_minor', 'currency', 'until'),
  },
  {
    name: 'refunds',
    table: 'refunds',
    where:
      'provider_subscription_id IN (SELECT provider_subscription_id FROM subscriptions WHERE user_id = $1 UNION SELECT provider_subscription_id FROM provider_endings WHERE user_id = $1)',
    key: 'id',
    keyType: 'uuid',
    // Without the reason, in which operators write what is for operators.
    fields: columns('id', 'amount_minor', 'currency', 'state', 'created_at', 'provider_subscription_id'),
  },
  {
    name: 'disputes',
    table: 'disputes',
    where: 'user_id = $1',
    key: 'id',
    keyType: 'text',
    fields: columns('id', 'coach_id', 'amount_minor', 'currency', 'state', 'seen_at'),
  },
  {
    name: 'endedAtProvider',
    table: 'provider_endings',
    where: 'user_id = $1',
    key: 'provider_subscription_id',
    keyType: 'text',
    fields: columns('provider_subscription_id', 'coach_id', 'reason', 'refund', 'refunded_minor', 'ended_at'),
  },
  {
    name: 'checkouts',
    table: 'checkouts',
    where: 'user_id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: columns('id', 'coach_id', 'amount_minor', 'currency', 'state', 'created_at', 'expires_at'),
  },
  {
    name: 'providerCustomers',
    table: 'provider_customers',
    where: 'user_id = $1',
    key: 'customer_id',
    keyType: 'text',
    fields: columns('customer_id', 'currency', 'created_at'),
  },
  {
    name: 'subscribers',
    table: 'subscriptions',
    // As in the dashboard: nobody who never had access. Its index knows these alone.
    where: 'coach_id = $1 AND ever_active',
    key: 'id',
    keyType: 'uuid',
    fields: columns(
      'id',
      'user_id',
      'plan_type',
      'status',
      'start_date',
      'cancelled_at',
      'access_until',
      'price_minor',
      'price_currency',
    ),
  },
  {
    name: 'disputesAsCoach',
    table: 'disputes',
    where: 'coach_id = $1',
    key: 'id',
    keyType: 'text',
    fields: columns('id', 'amount_minor', 'currency', 'state', 'share', 'share_minor', 'seen_at'),
  },
  {
    name: 'shownPrice',
    table: 'coach_prices',
    where: 'coach_id = $1',
    key: 'coach_id',
    keyType: 'uuid',
    fields: columns('price_minor', 'currency'),
  },
  {
    name: 'prices',
    table: 'prices',
    where: 'coach_id = $1',
    key: 'id',
    keyType: 'uuid',
    fields: columns('amount_minor', 'currency', 'created_at'),
  },
  {
    name: 'payoutAccount',
    table: 'payout_accounts',
    where: 'coach_id = $1',
    key: 'coach_id',
    keyType: 'uuid',
    fields: columns('account_id', 'is_ready', 'created_at'),
  },
];

/** What billing holds of a user, as a subscriber and as a coach (ACCT-35). Cards are with the provider alone. */
@Injectable()
export class ExportedRows implements UserExport {
  readonly sections: readonly ExportedSection[];

  constructor(statements: Statements) {
    this.sections = EXPORTED.map((table) => exportedTable(statements, table));
  }
}
