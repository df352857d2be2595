import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type { GetRelationsRequest, GetRelationsResponse } from '@pulso/contracts/social/v1/social';
import { GetRelations } from './get-relations.js';

@Controller()
export class RelationGrpc {
  constructor(private readonly getRelationsUseCase: GetRelations) {}

  @GrpcMethod('SocialService', 'GetRelations')
  getRelations({ userIds }: GetRelationsRequest): Promise<GetRelationsResponse> {
    return this.getRelationsUseCase.execute(userIds);
  }
}
