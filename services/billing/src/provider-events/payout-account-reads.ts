import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { Provider } from '../provider/provider.js';

const READ_LIMIT_MS = 10_000;

/** Reads coaches' accounts for payouts again. */
@Injectable()
export class PayoutAccountReads {
  constructor(
    private readonly provider: Provider,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Does nothing for accounts that are not Pulso's. Throws what the provider throws. */
  async readAgain(accountId: string, signal?: AbortSignal): Promise<void> {
    const [known] = await this.dataSource.query<object[]>(
      'SELECT FROM payout_accounts WHERE account_id = $1',
      [accountId],
    );
    if (!known) return;
    const begunAt = new Date(this.clock.now());
    const limit = AbortSignal.timeout(READ_LIMIT_MS);
    const { isReady } = await this.provider.account(
      accountId,
      signal ? AbortSignal.any([signal, limit]) : limit,
    );
    // A read that began later may have been faster.
    await this.dataSource.query(
      'UPDATE payout_accounts SET is_ready = $2, read_at = $3 WHERE account_id = $1 AND read_at <= $3',
      [accountId, isReady, begunAt],
    );
  }
}
