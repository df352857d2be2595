import { Injectable } from '@nestjs/common';
import type { OpenOnboardingRequest, ProviderPage } from '@pulso/contracts/billing/v1/billing';
import { AskProvider } from '../provider/ask-provider.js';
import { PayoutAccounts } from './payout-accounts.js';
import { RequireCoachCaller } from './require-coach-caller.js';

/** `POST /api/stripe/connect/onboarding-link`: the provider's page on which the caller sets up payouts (SUBS-19). */
@Injectable()
export class OpenOnboarding {
  constructor(
    private readonly coach: RequireCoachCaller,
    private readonly accounts: PayoutAccounts,
    private readonly ask: AskProvider,
  ) {}

  async execute({ refreshUrl, returnUrl }: OpenOnboardingRequest): Promise<ProviderPage> {
    const coachId = await this.coach.execute();
    const { id: accountId } = await this.accounts.ensure(coachId);
    const to = { accountId, refreshUrl, returnUrl };
    return { url: await this.ask.execute((provider, signal) => provider.openOnboarding(to, signal)) };
  }
}
