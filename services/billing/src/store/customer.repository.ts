import { Injectable } from '@nestjs/common';
import type { Currency } from '@pulso/contracts/payments';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Pair } from './subscription.repository.js';

const FIND = statement<{ id: string }>(
  'provider-customers.find',
  'SELECT customer_id AS id FROM provider_customers WHERE user_id = $1::uuid AND currency = $2',
);

/** The one who pays for something now comes first, then the latest. */
const PAYER = statement<{ id: string }>(
  'provider-customers.payer',
  `SELECT c.customer_id AS id FROM provider_customers c WHERE c.user_id = $1::uuid
   ORDER BY EXISTS (
     SELECT FROM subscriptions s WHERE s.user_id = c.user_id AND s.price_currency = c.currency AND s.status <> 'cancelled'
   ) DESC, c.created_at DESC LIMIT 1`,
);

/** The customer of the page that a pair may be paying on, else of what it has paid for. */
const OF_PAIR = statement<{ id: string }>(
  'provider-customers.of-pair',
  `SELECT c.customer_id AS id FROM (
     SELECT 1 AS rank, currency FROM checkouts
     WHERE user_id = $1::uuid AND coach_id = $2::uuid AND state = 'open'
     UNION ALL
     SELECT 2, price_currency FROM subscriptions
     WHERE user_id = $1::uuid AND coach_id = $2::uuid AND provider_subscription_id IS NOT NULL
   ) AS paid JOIN provider_customers c ON c.user_id = $1::uuid AND c.currency = paid.currency
   ORDER BY rank LIMIT 1`,
);

const OF_SUBSCRIPTION = statement<{ id: string }>(
  'provider-customers.of-subscription',
  `SELECT c.customer_id AS id FROM subscriptions s
   JOIN provider_customers c ON c.user_id = s.user_id AND c.currency = s.price_currency
   WHERE s.provider_subscription_id = $1`,
);

const ADD = statement(
  'provider-customers.add',
  `INSERT INTO provider_customers (user_id, currency, customer_id, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id, currency) DO NOTHING`,
);

/** One that is somebody else's stays theirs, whatever the provider says of it. */
const ADOPT = statement(
  'provider-customers.adopt',
  `INSERT INTO provider_customers (user_id, currency, customer_id, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING`,
);

interface NewCustomer {
  userId: string;
  currency: Currency;
  customerId: string;
}

/** Whom the provider knows as payers: one customer for a user and a currency (SUBS-16). */
@Injectable()
export class CustomerRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  async find(userId: string, currency: Currency): Promise<string | undefined> {
    return (await this.statements.row(FIND, [userId, currency]))?.id;
  }

  /** The customer whose page at the provider is worth the most to the user. */
  async payer(userId: string): Promise<string | undefined> {
    return (await this.statements.row(PAYER, [userId]))?.id;
  }

  /** Whom the provider has to be asked about for a pair; undefined where the pair has nothing to do with the provider. */
  async ofPair({ userId, coachId }: Pair): Promise<string | undefined> {
    return (await this.statements.row(OF_PAIR, [userId, coachId]))?.id;
  }

  /** Whose subscription this is, by its id at the provider. */
  async ofSubscription(subscriptionId: string, transaction: Transaction): Promise<string | undefined> {
    return (await transaction.rows(OF_SUBSCRIPTION, [subscriptionId]))[0]?.id;
  }

  async add(customer: NewCustomer, transaction: Transaction): Promise<void> {
    await transaction.rows(ADD, this.valuesOf(customer));
  }

  /** Adds a customer that was found at the provider, unless it is known, or the user has one. */
  async adopt(customer: NewCustomer, transaction: Transaction): Promise<void> {
    await transaction.rows(ADOPT, this.valuesOf(customer));
  }

  private valuesOf({ userId, currency, customerId }: NewCustomer): unknown[] {
    return [userId, currency, customerId, new Date(this.clock.now())];
  }
}
