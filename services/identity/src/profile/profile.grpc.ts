import type {
  GetUserByUsernameRequest,
  GetUserRequest,
  GetUserVersionRequest,
  GetUserVersionResponse,
  User,
} from '@pulso/contracts/identity/v1/identity';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { toUserMessage } from '../user/user-message.js';
import { GetUserByUsername } from './get-user-by-username.js';
import { GetUserVersion } from './get-user-version.js';
import { GetUser } from './get-user.js';

@RpcController(rpcContracts.identity)
export class ProfileGrpc {
  constructor(
    private readonly getUserUseCase: GetUser,
    private readonly getUserVersionUseCase: GetUserVersion,
    private readonly getUserByUsernameUseCase: GetUserByUsername,
  ) {}

  async getUser({ id }: GetUserRequest): Promise<User> {
    return toUserMessage(await this.getUserUseCase.execute(id));
  }

  async getUserVersion({ id }: GetUserVersionRequest): Promise<GetUserVersionResponse> {
    return { version: await this.getUserVersionUseCase.execute(id) };
  }

  async getUserByUsername({ username }: GetUserByUsernameRequest): Promise<User> {
    return toUserMessage(await this.getUserByUsernameUseCase.execute(username));
  }
}
