import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import type {
  Account,
  PasswordPolicy,
  Session,
  SignUpRequest,
  UpdateMeRequest,
} from '@pulso/contracts/identity/v1/identity';
import { toAccountMessage } from '../profile/user-message.js';
import { toSessionMessage } from '../session/session-message.js';
import { GetMe } from './get-me.js';
import { GetPasswordPolicy } from './get-password-policy.js';
import { SignUp } from './sign-up.js';
import { UpdateMe } from './update-me.js';

@Controller()
export class AccountGrpc {
  constructor(
    private readonly signUpUseCase: SignUp,
    private readonly getMeUseCase: GetMe,
    private readonly updateMeUseCase: UpdateMe,
    private readonly passwordPolicy: GetPasswordPolicy,
  ) {}

  @GrpcMethod('IdentityService', 'SignUp')
  async signUp(request: SignUpRequest): Promise<Session> {
    return toSessionMessage(await this.signUpUseCase.execute(request));
  }

  @GrpcMethod('IdentityService', 'GetMe')
  async getMe(): Promise<Account> {
    return toAccountMessage(await this.getMeUseCase.execute());
  }

  @GrpcMethod('IdentityService', 'UpdateMe')
  async updateMe(request: UpdateMeRequest): Promise<Account> {
    return toAccountMessage(await this.updateMeUseCase.execute(request));
  }

  @GrpcMethod('IdentityService', 'GetPasswordPolicy')
  getPasswordPolicy(): PasswordPolicy {
    return this.passwordPolicy.execute();
  }
}
