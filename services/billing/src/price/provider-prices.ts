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

  /** Of a price that the coach has. Throws like `ForeignCall.run`. */
  async ensure(coachId: string, amountMinor: number, currency: Currency): Promise<string> {
    const price = await this.prices.find(coachId, amountMinor, currency);
    if (!price) throw new Error(`There is no price of ${amountMinor} ${currency} of the coach ${coachId}`);
    if (price.providerId !== null) return price.providerId;
    const { id: priceId, coachName } = price;
    // The name is of this moment: one that is changed while the outcome is unknown is another request.
    const request = { coachId, coachName, amountMinor, currency };
    return (await this.calls.createPrice.run({ caller: `coach:${coachId}`, key: priceId }, request)).priceId;
  }
}
