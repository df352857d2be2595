import { Injectable } from '@nestjs/common';
import type { Currency } from '@pulso/contracts/payments';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Pair } from './subscription.repository.js';

/** A live subscription of Pulso's that is paid, and the customer who pays it. */
export interface LivePaid extends Pair {
  providerSubscriptionId: string;
  currency: Currency;
  /** Null where billing does not know the customer. */
  customerId: string | null;
}

/** What Pulso has of a subscription at the provider. */
export interface Known extends Pair {
  /** Undefined where the pair has no subscription. */
  providerSubscriptionId: string | null;
  status: string | null;
  priceMinor: number | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean | null;
  unpaidSince: Date | null;
  givesAccess: boolean | null;
  /** Whether billing has ended it, so that it should not live. */
  isEnded: boolean;
  /** Whether billing knows its customer as the user's. */
  isOwnCustomer: boolean;
}

const KNOWN = statement<Known & { id: string }>(
  'reconcile.known',
  `SELECT given.id, given.user_id AS "userId", given.coach_id AS "coachId",
     s.provider_subscription_id AS "providerSubscriptionId", s.status, s.price_minor AS "priceMinor",
     s.current_period_end AS "currentPeriodEnd", s.cancel_at_period_end AS "cancelAtPeriodEnd",
     s.unpaid_since AS "unpaidSince", s.gives_access AS "givesAccess",
     EXISTS (SELECT FROM provider_endings e WHERE e.provider_subscription_id = given.id) AS "isEnded",
     EXISTS (
       SELECT FROM provider_customers c WHERE c.customer_id = given.customer_id AND c.user_id = given.user_id
     ) AS "isOwnCustomer"
   FROM json_to_recordset($1) AS given (id text, customer_id text, user_id uuid, coach_id uuid)
   LEFT JOIN subscriptions s ON (s.user_id, s.coach_id) = (given.user_id, given.coach_id)`,
);

const LIVE = statement<LivePaid>(
  'reconcile.live',
  `SELECT s.user_id AS "userId", s.coach_id AS "coachId", s.provider_subscription_id AS "providerSubscriptionId",
     s.price_currency AS currency, c.customer_id AS "customerId"
   FROM subscriptions s LEFT JOIN provider_customers c ON c.customer_id = s.provider_customer_id
   WHERE s.status IN ('active', 'past_due') AND s.provider_subscription_id > $1
   ORDER BY s.provider_subscription_id LIMIT $2`,
);

const ACCOUNTS = statement<{ id: string }>(
  'reconcile.accounts',
  `SELECT account_id AS id FROM provider_customers WHERE account_id IS NOT NULL
   UNION
   SELECT account_id FROM payout_accounts WHERE $1::boolean`,
);

/** What the comparison with the provider reads. */
@Injectable()
export class LiveSubscriptionsRepository {
  constructor(private readonly statements: Statements) {}

  /** What Pulso has of each of these, by the id at the provider. */
  async known(
    provided: readonly { id: string; customerId: string; pair: Pair }[],
  ): Promise<ReadonlyMap<string, Known>> {
    const given = provided.map(({ id, customerId, pair }) => ({
      ...{ id, customer_id: customerId, user_id: pair.userId, coach_id: pair.coachId },
    }));
    const rows = await this.statements.rows(KNOWN, [JSON.stringify(given)]);
    return new Map(rows.map(({ id, ...known }) => [id, known]));
  }

  /** The coaches' accounts that subscriptions may be on: with direct charges those of all, else those that some are on. */
  async accounts(isDirect: boolean): Promise<string[]> {
    return (await this.statements.rows(ACCOUNTS, [isDirect])).map(({ id }) => id);
  }

  /** The next page of live ones that are paid, by their ids at the provider. */
  live(after: string, limit: number): Promise<LivePaid[]> {
    return this.statements.rows(LIVE, [after, limit]);
  }
}
