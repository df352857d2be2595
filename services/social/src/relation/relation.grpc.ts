import { rpcContracts } from '@pulso/contracts/rpc';
import type { GetRelationsRequest, GetRelationsResponse } from '@pulso/contracts/social/v1/social';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { GetRelations } from './get-relations.js';

@RpcController(rpcContracts.social)
export class RelationGrpc {
  constructor(private readonly getRelationsUseCase: GetRelations) {}

  getRelations({ userIds }: GetRelationsRequest): Promise<GetRelationsResponse> {
    return this.getRelationsUseCase.execute(userIds);
  }
}
