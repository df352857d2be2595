import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type { GetUserByUsernameRequest, GetUserRequest, User } from '@pulso/contracts/identity/v1/identity';
import { GetUserByUsername } from './get-user-by-username.js';
import { GetUser } from './get-user.js';
import { toUserMessage } from './user-message.js';

@Controller()
export class ProfileGrpc {
  constructor(
    private readonly getUserUseCase: GetUser,
    private readonly getUserByUsernameUseCase: GetUserByUsername,
  ) {}

  @GrpcMethod('IdentityService', 'GetUser')
  async getUser({ id }: GetUserRequest): Promise<User> {
    return toUserMessage(await this.getUserUseCase.execute(id));
  }

  @GrpcMethod('IdentityService', 'GetUserByUsername')
  async getUserByUsername({ username }: GetUserByUsernameRequest): Promise<User> {
    return toUserMessage(await this.getUserByUsernameUseCase.execute(username));
  }
}
