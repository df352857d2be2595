import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type {
  FollowResult,
  FollowUserRequest,
  ListFollowersRequest,
  ListFollowingRequest,
  UnfollowUserRequest,
  UserPage,
} from '@pulso/contracts/social/v1/social';
import { FollowUser } from './follow-user.js';
import { ListFollows } from './list-follows.js';
import { UnfollowUser } from './unfollow-user.js';

@Controller()
export class FollowGrpc {
  constructor(
    private readonly followUserUseCase: FollowUser,
    private readonly unfollowUserUseCase: UnfollowUser,
    private readonly listFollows: ListFollows,
  ) {}

  @GrpcMethod('SocialService', 'FollowUser')
  followUser({ userId }: FollowUserRequest): Promise<FollowResult> {
    return this.followUserUseCase.execute(userId);
  }

  @GrpcMethod('SocialService', 'UnfollowUser')
  unfollowUser({ userId }: UnfollowUserRequest): Promise<FollowResult> {
    return this.unfollowUserUseCase.execute(userId);
  }

  @GrpcMethod('SocialService', 'ListFollowers')
  listFollowers(request: ListFollowersRequest): Promise<UserPage> {
    return this.listFollows.execute('followers', request);
  }

  @GrpcMethod('SocialService', 'ListFollowing')
  listFollowing(request: ListFollowingRequest): Promise<UserPage> {
    return this.listFollows.execute('following', request);
  }
}
