import type { GetStandingsRequest, GetStandingsResponse } from '@pulso/contracts/billing/v1/billing';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { GetStandings } from './get-standings.js';

@RpcController(rpcContracts.billing)
export class StandingGrpc {
  constructor(private readonly getStandingsUseCase: GetStandings) {}

  getStandings({ userIds }: GetStandingsRequest): Promise<GetStandingsResponse> {
    return this.getStandingsUseCase.execute(userIds);
  }
}
