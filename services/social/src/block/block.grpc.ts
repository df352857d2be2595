import { rpcContracts } from '@pulso/contracts/rpc';
import type {
  BlockUserRequest,
  BlockUserResponse,
  ListBlocksRequest,
  UnblockUserRequest,
  UnblockUserResponse,
  UserPage,
} from '@pulso/contracts/social/v1/social';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { BlockUser } from './block-user.js';
import { ListBlocks } from './list-blocks.js';
import { UnblockUser } from './unblock-user.js';

@RpcController(rpcContracts.social)
export class BlockGrpc {
  constructor(
    private readonly blockUserUseCase: BlockUser,
    private readonly unblockUserUseCase: UnblockUser,
    private readonly listBlocksUseCase: ListBlocks,
  ) {}

  async blockUser({ userId }: BlockUserRequest): Promise<BlockUserResponse> {
    await this.blockUserUseCase.execute(userId);
    return {};
  }

  async unblockUser({ userId }: UnblockUserRequest): Promise<UnblockUserResponse> {
    await this.unblockUserUseCase.execute(userId);
    return {};
  }

  listBlocks(request: ListBlocksRequest): Promise<UserPage> {
    return this.listBlocksUseCase.execute(request);
  }
}
