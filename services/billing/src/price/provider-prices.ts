import { Injectable } from '@nestjs/common';
import type { Currency } from '../provider/payment-provider.js';
import { ProviderCalls } from '../provider-calls/provider-calls.js';
import { ProviderPriceRepository } from '../store/provider-price.repository.js';

/** The provider's prices, which never change, made when they are first needed (SUBS-7). */
@Injectable()
export class ProviderPrices {
  constructor(
    private readonly prices: ProviderPriceRepository,
    private readonly calls: ProviderCalls,
  ) {}

  /**
   * Of a price that the coach has, on the coach's own account or on the platform's (null). Throws like `ForeignCall.run`.
   */
  async ensure(
    coachId: string,
    { amountMinor, currency }: { amountMinor: number; currency: Currency },
    accountId: string | null,
  ): Promise<string> {
    const price = await this.prices.find({ coachId, amountMinor, currency }, accountId);
    if (!price) throw new Error(`There is no price of ${amountMinor} ${currency} of the coach ${coachId}`);
    if (price.providerId !== null) return price.providerId;
    const { id, coachName } = price;
    const caller = `coach:${coachId}`;
    // The name is of this moment: one that is changed while the outcome is unknown is another request.
    const request = { coachId, coachName, amountMinor, currency };
    const made =
      accountId === null
        ? await this.calls.createPrice.run({ caller, key: id }, request)
        : await this.calls.createPrice.run({ caller, key: `${id}:${accountId}` }, { ...request, accountId });
    return made.priceId;
  }
}
