import { Injectable } from '@nestjs/common';
import type { OpenPayoutDashboardRequest, ProviderPage } from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { KnownUsers } from '../projections/known-users.js';
import { AskProvider } from '../provider/ask-provider.js';
import { noBillingAccount, requireProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';
import { PayoutAccounts } from './payout-accounts.js';

/**
 * `POST /api/stripe/connect/dashboard-link`: the provider's page of the caller's payouts (SUBS-20), also for who was a coach once.
 * Throws `no-billing-account`, `coach-not-ready`.
 */
@Injectable()
export class OpenPayoutDashboard {
  constructor(
    private readonly users: KnownUsers,
    private readonly provider: Provider,
    private readonly accounts: PayoutAccounts,
    private readonly ask: AskProvider,
  ) {}

  async execute(_request: OpenPayoutDashboardRequest): Promise<ProviderPage> {
    const { userId } = requireCaller();
    await this.users.requireCaller(userId);
    requireProvider(this.provider);
    const account = await this.accounts.find(userId);
    if (!account) throw noBillingAccount();
    const { id } = await this.accounts.requireReady(account);
    return { url: await this.ask.execute((provider, signal) => provider.openPayoutDashboard(id, signal)) };
  }
}
