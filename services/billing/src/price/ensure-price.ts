import { Injectable } from '@nestjs/common';
import type { EnsurePriceRequest, EnsurePriceResponse } from '@pulso/contracts/billing/v1/billing';
import { coachNotReady, PayoutAccounts } from '../payouts/payout-accounts.js';
import { RequireCoachCaller } from '../payouts/require-coach-caller.js';
import type { Currency } from '../provider/payment-provider.js';
import { Provider } from '../provider/provider.js';
import { PriceRepository } from '../store/price.repository.js';
import { priceNotSet } from '../subscription/subscription-errors.js';
import { ProviderPrices } from './provider-prices.js';

/**
 * `POST /api/stripe/prices/lazy-create`: the provider's price for the caller's own, so that the first subscriber need not wait
 * for it (SUBS-7). Throws `permission-denied` to who is no coach, `price-not-set` where nothing is to be paid, and
 * `coach-not-ready` where the price would be on an account that the coach has not got yet.
 */
@Injectable()
export class EnsurePrice {
  constructor(
    private readonly coach: RequireCoachCaller,
    private readonly provider: Provider,
    private readonly accounts: PayoutAccounts,
    private readonly prices: PriceRepository,
    private readonly providerPrices: ProviderPrices,
  ) {}

  async execute(_request: EnsurePriceRequest): Promise<EnsurePriceResponse> {
    const coachId = await this.coach.execute();
    const { priceMinor, currency } = await this.prices.of(coachId);
    if (priceMinor === null || priceMinor === 0) throw priceNotSet();
    const offer = { amountMinor: priceMinor, currency: currency as Currency };
    const accountId = this.provider.isDirect ? await this.accountOf(coachId) : null;
    return { priceId: await this.providerPrices.ensure(coachId, offer, accountId) };
  }

  private async accountOf(coachId: string): Promise<string> {
    const account = await this.accounts.find(coachId);
    if (!account) throw coachNotReady();
    return account.id;
  }
}
