import { Injectable } from '@nestjs/common';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { ProviderAccount } from '../provider/payment-provider.js';
import { PayoutAccountReads } from '../provider-calls/payout-account-reads.js';
import { ProviderCalls } from '../provider-calls/provider-calls.js';
import { AskProvider } from '../provider/ask-provider.js';
import { PayoutAccountRepository } from '../store/payout-account.repository.js';

/** Payments cannot be made out to the coach yet (SUBS-19). */
export const coachNotReady = () =>
  new DomainError('coach-not-ready', 'This coach cannot be paid yet: payouts are not set up.');

/** Coaches' accounts at the provider, and whether payments can be made out to them. */
@Injectable()
export class PayoutAccounts {
  constructor(
    private readonly accounts: PayoutAccountRepository,
    private readonly calls: ProviderCalls,
    private readonly ask: AskProvider,
    private readonly reads: PayoutAccountReads,
  ) {}

  find(coachId: string): Promise<ProviderAccount | undefined> {
    return this.accounts.find(coachId);
  }

  /** Throws like `ForeignCall.run`. */
  async ensure(coachId: string): Promise<ProviderAccount> {
    const known = await this.accounts.find(coachId);
    if (known) return known;
    return this.calls.createAccount.run({ caller: `coach:${coachId}`, key: 'account' }, { coachId });
  }

  /**
   * One that payments can be made out to. The provider is asked again where it was not so: its event may come later. Throws
   * `coach-not-ready`, `unavailable`.
   */
  async requireReady(account: ProviderAccount | undefined): Promise<ProviderAccount> {
    if (!account) throw coachNotReady();
    if (account.isReady) return account;
    const present = await this.ask.execute((_, signal) => this.reads.readAgain(account.id, signal));
    if (!present?.isReady) throw coachNotReady();
    return present;
  }
}
