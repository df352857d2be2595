import type {
  GetUserByUsernameRequest,
  GetUserRequest,
  GetUsersRequest,
  GetUsersResponse,
  GetUserVersionRequest,
  GetUserVersionResponse,
  ListSubscriberEmailsRequest,
  ListSubscriberEmailsResponse,
  User,
} from '@pulso/contracts/identity/v1/identity';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { ListSubscriberEmails } from './list-subscriber-emails.js';
import { toUserMessage } from './user-message.js';
import { GetUserByUsername } from './get-user-by-username.js';
import { GetUserVersion } from './get-user-version.js';
import { GetUser } from './get-user.js';
import { GetUsers } from './get-users.js';

@RpcController(rpcContracts.identity)
export class ProfileGrpc {
  constructor(
    private readonly getUserUseCase: GetUser,
    private readonly getUsersUseCase: GetUsers,
    private readonly getUserVersionUseCase: GetUserVersion,
    private readonly getUserByUsernameUseCase: GetUserByUsername,
    private readonly listSubscriberEmailsUseCase: ListSubscriberEmails,
  ) {}

  async getUser({ id }: GetUserRequest): Promise<User> {
    return toUserMessage(await this.getUserUseCase.execute(id));
  }

  async getUsers({ ids }: GetUsersRequest): Promise<GetUsersResponse> {
    return { users: (await this.getUsersUseCase.execute(ids)).map(toUserMessage) };
  }

  async listSubscriberEmails({
    userIds,
  }: ListSubscriberEmailsRequest): Promise<ListSubscriberEmailsResponse> {
    return { emails: await this.listSubscriberEmailsUseCase.execute(userIds) };
  }

  async getUserVersion({ id }: GetUserVersionRequest): Promise<GetUserVersionResponse> {
    return { version: await this.getUserVersionUseCase.execute(id) };
  }

  async getUserByUsername({ username }: GetUserByUsernameRequest): Promise<User> {
    return toUserMessage(await this.getUserByUsernameUseCase.execute(username));
  }
}
