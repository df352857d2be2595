import { Injectable } from '@nestjs/common';
import type { Currency } from '@pulso/contracts/payments';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';

/** A price that a coach has had, with the coach's name now. */
export interface ProviderPrice {
  id: string;
  coachName: string;
  /** Null until the provider has it. */
  providerId: string | null;
}

const FIND = statement<ProviderPrice>(
  'provider-prices.find',
  `SELECT p.id, p.provider_id AS "providerId", coalesce(u.name, '') AS "coachName"
   FROM prices p LEFT JOIN known_users u ON u.id = p.coach_id
   WHERE p.coach_id = $1::uuid AND p.amount_minor = $2 AND p.currency = $3 AND p."interval" = 'month'`,
);

const SET = statement(
  'provider-prices.set',
  'UPDATE prices SET provider_id = $2 WHERE id = $1::uuid AND provider_id IS NULL',
);

/** What the provider has of the table `prices`, whose rows are made with the coaches' prices. */
@Injectable()
export class ProviderPriceRepository {
  constructor(private readonly statements: Statements) {}

  find(coachId: string, amountMinor: number, currency: Currency): Promise<ProviderPrice | undefined> {
    return this.statements.row(FIND, [coachId, amountMinor, currency]);
  }

  async set(id: string, providerId: string, transaction: Transaction): Promise<void> {
    await transaction.rows(SET, [id, providerId]);
  }
}
