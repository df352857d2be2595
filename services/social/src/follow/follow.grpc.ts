import { rpcContracts } from '@pulso/contracts/rpc';
import type {
  FollowResult,
  FollowUserRequest,
  ListFollowersRequest,
  ListFollowingRequest,
  ListMetCoachesResponse,
  UnfollowUserRequest,
  UserPage,
} from '@pulso/contracts/social/v1/social';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { FollowUser } from './follow-user.js';
import { ListFollows } from './list-follows.js';
import { ListMetCoaches } from './list-met-coaches.js';
import { UnfollowUser } from './unfollow-user.js';

@RpcController(rpcContracts.social)
export class FollowGrpc {
  constructor(
    private readonly followUserUseCase: FollowUser,
    private readonly unfollowUserUseCase: UnfollowUser,
    private readonly listFollowsUseCase: ListFollows,
    private readonly listMetCoachesUseCase: ListMetCoaches,
  ) {}

  followUser({ userId }: FollowUserRequest): Promise<FollowResult> {
    return this.followUserUseCase.execute(userId);
  }

  unfollowUser({ userId }: UnfollowUserRequest): Promise<FollowResult> {
    return this.unfollowUserUseCase.execute(userId);
  }

  listFollowers(request: ListFollowersRequest): Promise<UserPage> {
    return this.listFollowsUseCase.execute('followers', request);
  }

  listFollowing(request: ListFollowingRequest): Promise<UserPage> {
    return this.listFollowsUseCase.execute('following', request);
  }

  listMetCoaches(): Promise<ListMetCoachesResponse> {
    return this.listMetCoachesUseCase.execute();
  }
}
