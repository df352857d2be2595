import type {
  ListCoachesRequest,
  ListSpecialtiesResponse,
  UserPage,
} from '@pulso/contracts/identity/v1/identity';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { toUserMessage } from '../user/user-message.js';
import { ListCoaches } from './list-coaches.js';
import { ListSpecialties } from './list-specialties.js';

@RpcController(rpcContracts.identity)
export class DirectoryGrpc {
  constructor(
    private readonly listCoachesUseCase: ListCoaches,
    private readonly listSpecialtiesUseCase: ListSpecialties,
  ) {}

  async listCoaches(request: ListCoachesRequest): Promise<UserPage> {
    const { coaches, nextCursor } = await this.listCoachesUseCase.execute(request);
    return { items: coaches.map(toUserMessage), nextCursor };
  }

  async listSpecialties(): Promise<ListSpecialtiesResponse> {
    return { specialties: await this.listSpecialtiesUseCase.execute() };
  }
}
