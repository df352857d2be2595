import { Injectable } from '@nestjs/common';
import type { Currency } from '@pulso/contracts/payments';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import type { Pair } from './subscription.repository.js';

/** A page that a pair's subscription is paid on. */
export interface Checkout extends Pair {
  id: string;
  amountMinor: number;
  currency: Currency;
  /** Of the provider, as the address; null until it has made the page. */
  checkoutId: string | null;
  url: string | null;
  state: 'opening' | 'open' | 'complete' | 'expired' | 'failed';
  createdAt: Date;
  expiresAt: Date;
}

const COLUMNS = `id, user_id AS "userId", coach_id AS "coachId", amount_minor AS "amountMinor", currency,
  checkout_id AS "checkoutId", url, state, created_at AS "createdAt", expires_at AS "expiresAt"`;
const IS_OPEN = "state IN ('opening', 'open')";

const FIND = statement<Checkout>('checkouts.find', `SELECT ${COLUMNS} FROM checkouts WHERE id = $1::uuid`);

const OPEN = statement<Checkout>(
  'checkouts.open',
  `SELECT ${COLUMNS} FROM checkouts WHERE user_id = $1::uuid AND coach_id = $2::uuid AND ${IS_OPEN} FOR UPDATE`,
);

const ADD = statement(
  'checkouts.add',
  `INSERT INTO checkouts (id, user_id, coach_id, amount_minor, currency, state, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, 'opening', $6, $7)`,
);

// One that is closed here already stays closed, whatever comes late.
const MADE = statement<Pick<Checkout, 'state'>>(
  'checkouts.made',
  `UPDATE checkouts SET checkout_id = $2, url = $3, state = CASE WHEN ${IS_OPEN} THEN $4 ELSE state END,
     customer_id = $5
   WHERE id = $1::uuid RETURNING state`,
);

const CLOSE = statement(
  'checkouts.close',
  `UPDATE checkouts SET state = $2 WHERE id = $1::uuid AND ${IS_OPEN}`,
);

const closingAll = (which: 'pair' | 'coach' | 'subscriber', condition: string) =>
  statement<Checkout>(
    `checkouts.close-of-${which}`,
    `UPDATE checkouts SET state = 'expired' WHERE ${condition} AND ${IS_OPEN} RETURNING ${COLUMNS}`,
  );

const CLOSE_OF_PAIR = closingAll('pair', 'user_id = $1::uuid AND coach_id = $2::uuid');
const CLOSE_OF = {
  coach: closingAll('coach', 'coach_id = $1::uuid'),
  subscriber: closingAll('subscriber', 'user_id = $1::uuid'),
} as const;

@Injectable()
export class CheckoutRepository {
  constructor(private readonly statements: Statements) {}

  find(id: string): Promise<Checkout | undefined> {
    return this.statements.row(FIND, [id]);
  }

  /** The pair's one page that may be open, locked until the end of the transaction. */
  async open({ userId, coachId }: Pair, transaction: Transaction): Promise<Checkout | undefined> {
    return (await transaction.rows(OPEN, [userId, coachId]))[0];
  }

  /** One that the provider is about to make. Requires the pair's lock, and that none is open. */
  async add(
    checkout: Omit<Checkout, 'checkoutId' | 'url' | 'state'>,
    transaction: Transaction,
  ): Promise<void> {
    const { id, userId, coachId, amountMinor, currency, createdAt, expiresAt } = checkout;
    await transaction.rows(ADD, [id, userId, coachId, amountMinor, currency, createdAt, expiresAt]);
  }

  /** What the provider has made of it. Returns the state that is kept: one that was closed meanwhile stays so. */
  async made(
    id: string,
    made: { id: string; url: string | null; state: Checkout['state']; customerId: string },
    transaction: Transaction,
  ): Promise<Checkout['state'] | undefined> {
    return (await transaction.rows(MADE, [id, made.id, made.url, made.state, made.customerId]))[0]?.state;
  }

  /** Closes what a pair may be paying on. Returns what was open, or was being opened. */
  closeOfPair({ userId, coachId }: Pair, transaction: Transaction): Promise<readonly Checkout[]> {
    return transaction.rows(CLOSE_OF_PAIR, [userId, coachId]);
  }

  /** The same of all that pay for a coach, or of all that a subscriber pays on. */
  closeOf(
    side: keyof typeof CLOSE_OF,
    userId: string,
    transaction: Transaction,
  ): Promise<readonly Checkout[]> {
    return transaction.rows(CLOSE_OF[side], [userId]);
  }

  /** One that was not made, or can be paid no more. */
  async close(
    id: string,
    state: 'complete' | 'expired' | 'failed',
    transaction: Transaction | Statements = this.statements,
  ): Promise<void> {
    await transaction.rows(CLOSE, [id, state]);
  }
}
