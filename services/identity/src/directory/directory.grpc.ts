import type {
  ListCoachesRequest,
  ListPeopleRequest,
  ListSpecialtiesResponse,
  UserPage,
} from '@pulso/contracts/identity/v1/identity';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { toUserMessage } from '../user/user-message.js';
import { ListCoaches } from './list-coaches.js';
import { ListPeople } from './list-people.js';
import { ListSpecialties } from './list-specialties.js';

@RpcController(rpcContracts.identity)
export class DirectoryGrpc {
  constructor(
    private readonly listCoachesUseCase: ListCoaches,
    private readonly listPeopleUseCase: ListPeople,
    private readonly listSpecialtiesUseCase: ListSpecialties,
  ) {}

  async listCoaches(request: ListCoachesRequest): Promise<UserPage> {
    const { coaches, nextCursor } = await this.listCoachesUseCase.execute(request);
    return { items: coaches.map(toUserMessage), nextCursor };
  }

  async listPeople(request: ListPeopleRequest): Promise<UserPage> {
    const { people, nextCursor } = await this.listPeopleUseCase.execute(request);
    return { items: people.map(toUserMessage), nextCursor };
  }

  async listSpecialties(): Promise<ListSpecialtiesResponse> {
    return { specialties: await this.listSpecialtiesUseCase.execute() };
  }
}
