import { Injectable, Module } from '@nestjs/common';
import {
  type GetUserRequest,
  LogOutRequest,
  LogOutResponse,
  User,
} from '@pulso/contracts/identity/v1/identity';
import { createAccessTokenVerifier } from '../../src/auth/access-token.js';
import { createLogger } from '../../src/logging/logger.js';
import { controllersOf, type HandlersOf } from '../../src/rpc/handlers.js';
import { createRpcClient } from '../../src/rpc/rpc-client.js';
import { systemClock } from '../../src/time/clock.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { transports } from './echo-fixture.js';
import { EchoServiceService } from './echo-service.js';
import { startRpcService } from './start-rpc-service.js';

const { getUser, logOut } = EchoServiceService;
const definition = { getUser, logOut };
const service = { name: 'pulso.test.v1.EchoService', definition, reads: new Set(['getUser']) };

@Injectable()
class Names {
  of(id: string): string {
    return `the name of ${id}`;
  }
}

// Its name is not the rpc's: what counts is under which rpc it is listed.
@Injectable()
class ReadUser {
  constructor(private readonly names: Names) {}

  execute({ id }: GetUserRequest): User {
    return User.create({ id, name: this.names.of(id) });
  }
}

class LogOut {
  async execute(): Promise<LogOutResponse> {
    return LogOutResponse.create();
  }
}

@Module({ providers: [Names] })
class AnyModule {}

describe.each(transports)('the use cases that a service lists, over $kind', ({ make }) => {
  it('answer the rpcs under which they are listed, with what is injected into them', async () => {
    const running = await startRpcService({
      module: {
        module: AnyModule,
        controllers: controllersOf(service, { getUser: ReadUser, logOut: LogOut }),
      },
      service,
      transport: make(),
      verifier: createAccessTokenVerifier({ jwks: [], clock: systemClock }),
      waits: { readMs: 60_000, writeMs: 60_000 },
      clock: systemClock,
      logger: createLogger({ service: 'echo', level: 'silent' }),
    });
    onTestEnd(() => running.close());
    const client = createRpcClient(service, running.transport);
    onTestEnd(() => client.close());
    expect(await client.getUser({ id: 'a' })).toEqual(User.create({ id: 'a', name: 'the name of a' }));
    expect(await client.logOut(LogOutRequest.create())).toEqual(LogOutResponse.create());
  });
});

describe('the list of use cases', () => {
  class Inherits extends LogOut {}

  it('takes no class whose method is inherited, as two rpcs would share it', () => {
    expect(() => controllersOf(service, { getUser: ReadUser, logOut: Inherits })).toThrow(
      "Inherits: handles logOut and has no method 'execute' of its own",
    );
  });

  it('does not compile with an rpc missing, a foreign one, or other messages', () => {
    class OtherMessage {
      execute({ email }: { email: string }): User {
        return User.create({ id: email });
      }
    }
    // @ts-expect-error: logOut is missing.
    const missing: HandlersOf<typeof definition> = { getUser: ReadUser };
    // @ts-expect-error: the contract has no logIn.
    const foreign: HandlersOf<typeof definition> = { getUser: ReadUser, logOut: LogOut, logIn: LogOut };
    // @ts-expect-error: getUser has no e-mail address in its request.
    const other: HandlersOf<typeof definition> = { getUser: OtherMessage, logOut: LogOut };
    expect([missing, foreign, other].map((handlers) => Object.keys(handlers).length)).toEqual([1, 3, 2]);
  });
});
