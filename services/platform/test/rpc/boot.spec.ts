import { Controller, Module, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod, MessagePattern } from '@nestjs/microservices';
import { GetUserRequest, LogOutRequest, LogOutResponse, User } from '@pulso/contracts/identity/v1/identity';
import { map } from 'rxjs';
import { createAccessTokenVerifier } from '../../src/auth/access-token.js';
import { createLogger } from '../../src/logging/logger.js';
import { createRpcClient } from '../../src/rpc/rpc-client.js';
import type { RpcTransport } from '../../src/rpc/rpc-transport.js';
import { startRpcService } from './start-rpc-service.js';
import type { RpcService } from '../../src/rpc/service-definition.js';
import { systemClock } from '../../src/time/clock.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { transports } from './echo-fixture.js';
import { EchoServiceService } from './echo-service.js';

const { getUser, logOut } = EchoServiceService;
const service = {
  name: 'pulso.test.v1.EchoService',
  definition: { getUser, logOut },
  reads: new Set(['getUser']),
};

@Controller()
class GoodController {
  @GrpcMethod('EchoService', 'getUser')
  getUser({ id }: GetUserRequest) {
    return User.create({ id });
  }

  @GrpcMethod('EchoService', 'logOut')
  logOut() {
    return LogOutResponse.create();
  }
}

@Controller()
class MisspeltController {
  @GrpcMethod('EchoService', 'getUsers')
  getUsers() {
    return User.create();
  }
}

@Controller()
class SecondController {
  @GrpcMethod('EchoService', 'GetUser')
  getUser() {
    return User.create();
  }
}

@Controller()
class ForeignController {
  @GrpcMethod('OtherService', 'getUser')
  getUser() {
    return User.create();
  }
}

@Controller()
class StreamedRequestController {
  @GrpcStreamMethod('EchoService', 'getUser')
  getUser() {
    return User.create();
  }
}

@Controller()
class MessageController {
  @MessagePattern('anything')
  anything() {
    return User.create();
  }
}

const upperCase: NestInterceptor = {
  intercept: (_context, next) => next.handle().pipe(map((user: User) => ({ ...user, name: 'INTERCEPTED' }))),
};

@Controller()
class InterceptedController extends GoodController {
  @UseInterceptors(upperCase)
  @GrpcMethod('EchoService', 'getUser')
  override getUser(request: GetUserRequest) {
    return super.getUser(request);
  }

  @GrpcMethod('EchoService', 'logOut')
  override logOut() {
    return super.logOut();
  }
}

@Module({})
class AnyModule {}

describe.each(transports)('a service over $kind', ({ make }) => {
  const boot = (
    controllers: (new () => object)[],
    transport: RpcTransport = make(),
    contract: RpcService = service,
  ) =>
    startRpcService({
      module: { module: AnyModule, controllers },
      service: contract,
      transport,
      verifier: createAccessTokenVerifier({ jwks: [], clock: systemClock }),
      waits: { readMs: 60_000, writeMs: 60_000 },
      clock: systemClock,
      logger: createLogger({ service: 'echo', level: 'silent' }),
    });

  it.each([
    ['a method without a handler', [], 'no handler for getUser, logOut'],
    ['a handler of no method', [GoodController, MisspeltController], 'EchoService.getUsers: not declared'],
    [
      'a method with two handlers',
      [GoodController, SecondController],
      'EchoService.getUser: has two handlers',
    ],
    ["another service's handler", [GoodController, ForeignController], 'OtherService.getUser: not part of'],
    ['a streamed request', [StreamedRequestController], 'streams are not supported'],
    ['a handler that is not an rpc', [GoodController, MessageController], '"anything" is not an rpc'],
  ])('does not start with %s', async (_, controllers, message) => {
    await expect(boot(controllers)).rejects.toThrow(message);
  });

  it.each(['requestStream', 'responseStream'])(
    'does not start with a contract of streams (%s)',
    async (kind) => {
      const streaming = {
        ...service,
        definition: { ...service.definition, getUser: { ...getUser, [kind]: true } },
      };
      await expect(boot([GoodController], make(), streaming)).rejects.toThrow('streams are not supported');
    },
  );

  it('can start again after a failed attempt, but not twice', async () => {
    const failed = make();
    await expect(boot([], failed)).rejects.toThrow('no handler');
    const running = await boot([GoodController], failed);
    onTestEnd(() => running.close());
    await expect(boot([GoodController], running.transport)).rejects.toThrow();
    const client = createRpcClient(service, running.transport);
    onTestEnd(() => client.close());
    expect((await client.getUser({ id: 'still there' })).id).toBe('still there');
  });

  it("runs Nest's interceptors", async () => {
    const running = await boot([InterceptedController]);
    onTestEnd(() => running.close());
    const client = createRpcClient(service, running.transport);
    onTestEnd(() => client.close());
    expect(await client.getUser({ id: 'a' })).toEqual(User.create({ id: 'a', name: 'INTERCEPTED' }));
    expect(await client.logOut(LogOutRequest.create())).toEqual(LogOutResponse.create());
  });
});
