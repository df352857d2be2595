import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';

/** A coach's account at the provider, by its id there. */
export interface PayoutAccount {
  id: string;
  /** Whether payments can be made out to it. */
  isReady: boolean;
}

const FIND = statement<PayoutAccount>(
  'payout-accounts.find',
  'SELECT account_id AS id, is_ready AS "isReady" FROM payout_accounts WHERE coach_id = $1::uuid',
);

const KNOWN = statement<object>('payout-accounts.known', 'SELECT FROM payout_accounts WHERE account_id = $1');

const ADD = statement(
  'payout-accounts.add',
  `INSERT INTO payout_accounts (coach_id, account_id, is_ready, created_at, read_at) VALUES ($1, $2, $3, $4, $4)
   ON CONFLICT (coach_id) DO NOTHING`,
);

const READ = statement(
  'payout-accounts.read',
  'UPDATE payout_accounts SET is_ready = $2, read_at = $3 WHERE account_id = $1 AND read_at <= $3',
);

/** Coaches' accounts at the provider. */
@Injectable()
export class PayoutAccountRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  find(coachId: string): Promise<PayoutAccount | undefined> {
    return this.statements.row(FIND, [coachId]);
  }

  async isKnown(accountId: string): Promise<boolean> {
    return (await this.statements.rows(KNOWN, [accountId])).length > 0;
  }

  async add(coachId: string, { id, isReady }: PayoutAccount, transaction: Transaction): Promise<void> {
    await transaction.rows(ADD, [coachId, id, isReady, new Date(this.clock.now())]);
  }

  /** Keeps what the provider has said of an account; A read that began at `begunAt` may be slower than a later one. */
  async keep({ id, isReady }: PayoutAccount, begunAt: number): Promise<void> {
    await this.statements.rows(READ, [id, isReady, new Date(begunAt)]);
  }
}
