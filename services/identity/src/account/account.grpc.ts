import type {
  Account,
  PasswordPolicy,
  Session,
  SignUpRequest,
  UnsubscribeRequest,
  UnsubscribeResponse,
  UpdateMeRequest,
} from '@pulso/contracts/identity/v1/identity';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { GetPasswordPolicy } from '../password/get-password-policy.js';
import { toSessionMessage } from '../session/session-message.js';
import { toAccountMessage } from '../user/user-message.js';
import { GetMe } from './get-me.js';
import { SignUp } from './sign-up.js';
import { Unsubscribe } from './unsubscribe.js';
import { UpdateMe } from './update-me.js';

@RpcController(rpcContracts.identity)
export class AccountGrpc {
  constructor(
    private readonly signUpUseCase: SignUp,
    private readonly getMeUseCase: GetMe,
    private readonly updateMeUseCase: UpdateMe,
    private readonly unsubscribeUseCase: Unsubscribe,
    private readonly getPasswordPolicyUseCase: GetPasswordPolicy,
  ) {}

  async signUp(request: SignUpRequest): Promise<Session> {
    return toSessionMessage(await this.signUpUseCase.execute(request));
  }

  async getMe(): Promise<Account> {
    return toAccountMessage(await this.getMeUseCase.execute());
  }

  async updateMe(request: UpdateMeRequest): Promise<Account> {
    return toAccountMessage(await this.updateMeUseCase.execute(request));
  }

  async unsubscribe({ token }: UnsubscribeRequest): Promise<UnsubscribeResponse> {
    return { emails: await this.unsubscribeUseCase.execute(token) };
  }

  getPasswordPolicy(): PasswordPolicy {
    return this.getPasswordPolicyUseCase.execute();
  }
}
