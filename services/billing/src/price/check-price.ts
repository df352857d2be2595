import { Injectable } from '@nestjs/common';
import type { CheckPriceRequest, CheckPriceResponse } from '@pulso/contracts/billing/v1/billing';
import { PROVIDER_MINIMUM_MINOR, shownMoney } from '@pulso/contracts/payments';
import { requireCaller } from '@pulso/platform/context/request-context';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Currency } from '../provider/payment-provider.js';
import { Provider } from '../provider/provider.js';
import { PriceRepository } from '../store/price.repository.js';
import { checkPrice } from './price.js';

/** Says before identity hands a price over whether billing would take it. Without a provider there is no least price (SUBS-5). */
@Injectable()
export class CheckPrice {
  constructor(
    private readonly provider: Provider,
    private readonly prices: PriceRepository,
  ) {}

  async execute(price: CheckPriceRequest): Promise<CheckPriceResponse> {
    const { userId } = requireCaller();
    checkPrice(price);
    const { priceMinor = 0 } = price;
    if (!this.provider.isOn || priceMinor === 0) return {};
    const currency = (price.currency || (await this.prices.of(userId)).currency || 'MXN') as Currency;
    const least = PROVIDER_MINIMUM_MINOR[currency];
    if (priceMinor >= least) return {};
    throw new DomainError('price-below-minimum', `The lowest price is ${shownMoney(least, currency)}`);
  }
}
