import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type {
  BlockUserRequest,
  BlockUserResponse,
  ListBlocksRequest,
  UnblockUserRequest,
  UnblockUserResponse,
  UserPage,
} from '@pulso/contracts/social/v1/social';
import { BlockUser } from './block-user.js';
import { ListBlocks } from './list-blocks.js';
import { UnblockUser } from './unblock-user.js';

@Controller()
export class BlockGrpc {
  constructor(
    private readonly blockUserUseCase: BlockUser,
    private readonly unblockUserUseCase: UnblockUser,
    private readonly listBlocksUseCase: ListBlocks,
  ) {}

  @GrpcMethod('SocialService', 'BlockUser')
  async blockUser({ userId }: BlockUserRequest): Promise<BlockUserResponse> {
    await this.blockUserUseCase.execute(userId);
    return {};
  }

  @GrpcMethod('SocialService', 'UnblockUser')
  async unblockUser({ userId }: UnblockUserRequest): Promise<UnblockUserResponse> {
    await this.unblockUserUseCase.execute(userId);
    return {};
  }

  @GrpcMethod('SocialService', 'ListBlocks')
  listBlocks(request: ListBlocksRequest): Promise<UserPage> {
    return this.listBlocksUseCase.execute(request);
  }
}
