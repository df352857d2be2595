import { Injectable } from '@nestjs/common';
import type { Currency } from '@pulso/contracts/payments';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Pair } from './subscription.repository.js';

const FIND = statement<{ id: string }>(
  'provider-customers.find',
  `SELECT customer_id AS id FROM provider_customers
   WHERE user_id = $1::uuid AND currency = $2 AND account_id IS NOT DISTINCT FROM $3`,
);

/** Whose payment is missing comes first, then who pays for what has begun last, then the latest. */
const PAYER = statement<{ id: string }>(
  'provider-customers.payer',
  `SELECT c.customer_id AS id FROM provider_customers c
   LEFT JOIN subscriptions s
     ON s.user_id = c.user_id AND s.provider_customer_id = c.customer_id AND s.status IN ('active', 'past_due')
   WHERE c.user_id = $1::uuid
   GROUP BY c.customer_id
   ORDER BY coalesce(bool_or(s.status = 'past_due'), false) DESC, max(s.start_date) DESC NULLS LAST, c.created_at DESC
   LIMIT 1`,
);

/** The customer of the page that a pair may be paying on, else of what it has paid for. */
const OF_PAIR = statement<{ id: string }>(
  'provider-customers.of-pair',
  `SELECT id FROM (
     SELECT 1 AS rank, customer_id AS id FROM checkouts
     WHERE user_id = $1::uuid AND coach_id = $2::uuid AND state = 'open'
     UNION ALL
     SELECT 2, provider_customer_id FROM subscriptions WHERE user_id = $1::uuid AND coach_id = $2::uuid
   ) AS paid WHERE id IS NOT NULL ORDER BY rank LIMIT 1`,
);

const ADD = statement(
  'provider-customers.add',
  `INSERT INTO provider_customers (user_id, currency, customer_id, account_id, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (user_id, currency, account_id) DO NOTHING`,
);

/** One that is somebody else's stays theirs, whatever the provider says of it. */
const ADOPT = statement(
  'provider-customers.adopt',
  `INSERT INTO provider_customers (user_id, currency, customer_id, account_id, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING`,
);

interface NewCustomer {
  userId: string;
  currency: Currency;
  customerId: string;
  /** The coach's account that it is on; null for the platform's own. */
  accountId: string | null;
}

/** Whom the provider knows as payers: one customer for a user, a currency and an account (SUBS-16). */
@Injectable()
export class CustomerRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  async find(userId: string, currency: Currency, accountId: string | null): Promise<string | undefined> {
    return (await this.statements.row(FIND, [userId, currency, accountId]))?.id;
  }

  /** The customer whose page at the provider is worth the most to the user. */
  async payer(userId: string): Promise<string | undefined> {
    return (await this.statements.row(PAYER, [userId]))?.id;
  }

  /** Whom the provider has to be asked about for a pair; undefined where the pair has nothing to do with the provider. */
  async ofPair({ userId, coachId }: Pair): Promise<string | undefined> {
    return (await this.statements.row(OF_PAIR, [userId, coachId]))?.id;
  }

  async add(customer: NewCustomer, transaction: Transaction): Promise<void> {
    await transaction.rows(ADD, this.valuesOf(customer));
  }

  /** Adds a customer that was found at the provider, unless it is known, or the user has one. */
  async adopt(customer: NewCustomer, transaction: Transaction): Promise<void> {
    await transaction.rows(ADOPT, this.valuesOf(customer));
  }

  private valuesOf({ userId, currency, customerId, accountId }: NewCustomer): unknown[] {
    return [userId, currency, customerId, accountId, new Date(this.clock.now())];
  }
}
