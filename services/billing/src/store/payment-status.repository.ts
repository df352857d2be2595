import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { Clock } from '@pulso/platform/time/clock';
import { givesAccessAt } from './subscription.js';

interface Row {
  /** When the first access ends whose payment is missing; null where none is. */
  dueBy: Date | null;
  /** Whether the account for payouts can be paid; null without one. */
  isReady: boolean | null;
}

const OF = statement<Row>(
  'payment-status.of',
  `SELECT
     (SELECT min(access_until) FROM subscriptions mine
      WHERE mine.user_id = $1::uuid AND mine.status = 'past_due' AND ${givesAccessAt('mine', '$2')}) AS "dueBy",
     (SELECT is_ready FROM payout_accounts WHERE coach_id = $1::uuid) AS "isReady"`,
);

@Injectable()
export class PaymentStatusRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  async of(userId: string): Promise<Row> {
    const row = await this.statements.row(OF, [userId, new Date(this.clock.now())]);
    return row!;
  }
}
