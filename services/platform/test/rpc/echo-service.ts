import { Controller, Inject, Module, type DynamicModule } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import {
  Account,
  GetUserRequest,
  LogOutRequest,
  LogOutResponse,
  Session,
  SignUpRequest,
  UpdateMeRequest,
  User,
} from '@pulso/contracts/identity/v1/identity';

interface Codec<T> {
  encode(value: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/** A definition as ts-proto generates it, with the contract's own codecs. */
function rpc<I, O>(name: string, input: Codec<I>, output: Codec<O>) {
  return {
    path: `/pulso.test.v1.EchoService/${name}`,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: (value: I) => Buffer.from(input.encode(value).finish()),
    requestDeserialize: (bytes: Buffer) => input.decode(bytes),
    responseSerialize: (value: O) => Buffer.from(output.encode(value).finish()),
    responseDeserialize: (bytes: Buffer) => output.decode(bytes),
  };
}

export const EchoServiceService = {
  getUser: rpc('GetUser', GetUserRequest, User),
  updateMe: rpc('UpdateMe', UpdateMeRequest, Account),
  signUp: rpc('SignUp', SignUpRequest, Session),
  logOut: rpc('LogOut', LogOutRequest, LogOutResponse),
  findUser: rpc('FindUser', GetUserRequest, User),
};

export const echoService = {
  name: 'pulso.test.v1.EchoService',
  definition: EchoServiceService,
  reads: new Set(['getUser', 'findUser']),
};

/** The handlers' behaviour; a test replaces the handlers that it calls. */
export interface Behaviour {
  getUser(request: GetUserRequest): unknown;
  updateMe(request: UpdateMeRequest): unknown;
  signUp(request: SignUpRequest): unknown;
  logOut(request: LogOutRequest): unknown;
  findUser(request: GetUserRequest): unknown;
}

const BEHAVIOUR = Symbol('behaviour');

// The generated decorator registers lowerCamel names, hand-written code often UpperCamel: both must be found.
@Controller()
class EchoController {
  constructor(@Inject(BEHAVIOUR) private readonly behaviour: Behaviour) {}

  @GrpcMethod('EchoService', 'getUser')
  getUser(request: GetUserRequest) {
    return this.behaviour.getUser(request);
  }

  @GrpcMethod('EchoService', 'UpdateMe')
  updateMe(request: UpdateMeRequest) {
    return this.behaviour.updateMe(request);
  }

  @GrpcMethod('EchoService', 'signUp')
  signUp(request: SignUpRequest) {
    return this.behaviour.signUp(request);
  }

  @GrpcMethod('EchoService', 'logOut')
  logOut(request: LogOutRequest) {
    return this.behaviour.logOut(request);
  }

  @GrpcMethod('EchoService', 'findUser')
  findUser(request: GetUserRequest) {
    return this.behaviour.findUser(request);
  }
}

@Module({})
class EchoModule {}

export function echoModule(behaviour: Behaviour): DynamicModule {
  return {
    module: EchoModule,
    controllers: [EchoController],
    providers: [{ provide: BEHAVIOUR, useValue: behaviour }],
  };
}
