import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import type { ProviderAccount } from '../provider/payment-provider.js';
import { Provider } from '../provider/provider.js';
import { readLimit } from '../provider/read-limit.js';
import { PayoutAccountRepository } from '../store/payout-account.repository.js';

/** Reads coaches' accounts for payouts at the provider, and keeps what it tells. */
@Injectable()
export class PayoutAccountReads {
  constructor(
    private readonly provider: Provider,
    private readonly accounts: PayoutAccountRepository,
    private readonly clock: Clock,
  ) {}

  /** Undefined for accounts that are not Pulso's. Throws what the provider throws. */
  async readAgain(accountId: string, signal?: AbortSignal): Promise<ProviderAccount | undefined> {
    if (!(await this.accounts.isKnown(accountId))) return undefined;
    const begunAt = this.clock.now();
    const present = await this.provider.account(accountId, readLimit(signal));
    await this.accounts.keep(present, begunAt);
    return present;
  }
}
