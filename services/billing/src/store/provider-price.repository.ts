import { Injectable } from '@nestjs/common';
import type { Currency } from '@pulso/contracts/payments';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';

/** A price that a coach has had, with the coach's name now. */
export interface ProviderPrice {
  id: string;
  coachName: string;
  /** On the account that was asked for; null until the provider has it there. */
  providerId: string | null;
}

interface PriceKey {
  coachId: string;
  amountMinor: number;
  currency: Currency;
}

const valuesOf = ({ coachId, amountMinor, currency }: PriceKey) => [coachId, amountMinor, currency];

const FIND = statement<ProviderPrice>(
  'provider-prices.find',
  `SELECT p.id, coalesce(u.name, '') AS "coachName",
     CASE WHEN $4::text IS NULL THEN p.provider_id WHEN p.account_id = $4 THEN p.account_provider_id END AS "providerId"
   FROM prices p LEFT JOIN known_users u ON u.id = p.coach_id
   WHERE p.coach_id = $1::uuid AND p.amount_minor = $2 AND p.currency = $3 AND p."interval" = 'month'`,
);

const IS_PRICE = `coach_id = $1::uuid AND amount_minor = $2 AND currency = $3 AND "interval" = 'month'`;

const SET = statement(
  'provider-prices.set',
  `UPDATE prices SET provider_id = $4 WHERE ${IS_PRICE} AND provider_id IS NULL`,
);

// Only after a restored backup a coach may have another account than before.
const SET_ON_ACCOUNT = statement(
  'provider-prices.set-on-account',
  `UPDATE prices SET account_provider_id = $4, account_id = $5
   WHERE ${IS_PRICE} AND account_id IS DISTINCT FROM $5`,
);

/** What the provider has of the table `prices`, whose rows are made with the coaches' prices. */
@Injectable()
export class ProviderPriceRepository {
  constructor(private readonly statements: Statements) {}

  /** On the coach's own account, or on the platform's (null). */
  find(price: PriceKey, accountId: string | null): Promise<ProviderPrice | undefined> {
    return this.statements.row(FIND, [...valuesOf(price), accountId]);
  }

  async set(
    { accountId, ...price }: PriceKey & { accountId?: string },
    providerId: string,
    transaction: Transaction,
  ): Promise<void> {
    const values = [...valuesOf(price), providerId];
    if (accountId === undefined) await transaction.rows(SET, values);
    else await transaction.rows(SET_ON_ACCOUNT, [...values, accountId]);
  }
}
