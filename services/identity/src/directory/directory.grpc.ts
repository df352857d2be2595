import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type {
  ListCoachesRequest,
  ListSpecialtiesResponse,
  UserPage,
} from '@pulso/contracts/identity/v1/identity';
import { toUserMessage } from '../profile/user-message.js';
import { ListCoaches } from './list-coaches.js';
import { ListSpecialties } from './list-specialties.js';

@Controller()
export class DirectoryGrpc {
  constructor(
    private readonly listCoachesUseCase: ListCoaches,
    private readonly listSpecialtiesUseCase: ListSpecialties,
  ) {}

  @GrpcMethod('IdentityService', 'ListCoaches')
  async listCoaches(request: ListCoachesRequest): Promise<UserPage> {
    const { coaches, nextCursor } = await this.listCoachesUseCase.execute(request);
    return { items: coaches.map(toUserMessage), nextCursor };
  }

  @GrpcMethod('IdentityService', 'ListSpecialties')
  async listSpecialties(): Promise<ListSpecialtiesResponse> {
    return { specialties: await this.listSpecialtiesUseCase.execute() };
  }
}
