import { Injectable } from '@nestjs/common';
import type { CheckPriceRequest, CheckPriceResponse } from '@pulso/contracts/billing/v1/billing';
import { requireCaller } from '@pulso/platform/context/request-context';
import { checkPrice } from './price.js';

/** Says before identity hands a price over whether billing would take it. Without a provider there is no least price. */
@Injectable()
export class CheckPrice {
  execute(price: CheckPriceRequest): CheckPriceResponse {
    requireCaller();
    checkPrice(price);
    return {};
  }
}
