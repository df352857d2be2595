import type { CheckPriceRequest, CheckPriceResponse } from '@pulso/contracts/billing/v1/billing';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { CheckPrice } from './check-price.js';

@RpcController(rpcContracts.billing)
export class PriceGrpc {
  constructor(private readonly checkPriceUseCase: CheckPrice) {}

  async checkPrice(request: CheckPriceRequest): Promise<CheckPriceResponse> {
    this.checkPriceUseCase.execute(request);
    return {};
  }
}
