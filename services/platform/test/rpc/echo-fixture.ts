import { Account, LogOutResponse, Session, User } from '@pulso/contracts/identity/v1/identity';
import {
  createAccessTokenSigner,
  createAccessTokenVerifier,
  generateSigningKey,
  publicJwks,
  type AccessTokenSigner,
} from '../../src/auth/access-token.js';
import { runInContext, type RequestContext } from '../../src/context/request-context.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { createLogger } from '../../src/logging/logger.js';
import { InProcessNetwork } from '../../src/rpc/in-process.js';
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js';
import type { RpcTransport } from '../../src/rpc/rpc-transport.js';
import { startRpcService, type RpcServiceOptions, type RunningRpcService } from './start-rpc-service.js';
import { systemClock } from '../../src/time/clock.js';
import { aContext as aVisitorContext } from '../../testing/context.js';
import { until } from '../../testing/until.js';
import { echoModule, echoService, type Behaviour, type EchoServiceService } from './echo-service.js';

/** How long a call may take, which is long on a busy machine. */
const BUDGET_MS = 60_000;

export const transports: { kind: RpcTransport['kind']; make: () => RpcTransport }[] = [
  { kind: 'in-process', make: () => ({ kind: 'in-process', network: new InProcessNetwork() }) },
  { kind: 'connect', make: () => ({ kind: 'connect', url: '127.0.0.1:0' }) },
];

export interface EchoFixture {
  client: RpcClient<typeof EchoServiceService>;
  service: RunningRpcService;
  signer: AccessTokenSigner;
  /** The lines that the service has logged. */
  logs: string[];
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The echo service and a client of it; `behaviour` overrides handlers, which otherwise return empty messages. */
export async function startEcho(
  transport: RpcTransport,
  behaviour: Partial<Behaviour>,
  options: Partial<RpcServiceOptions> = {},
): Promise<EchoFixture> {
  const key = await generateSigningKey();
  const logs: string[] = [];
  const boot = (at: RpcTransport) =>
    startRpcService({
      module: echoModule({ ...emptyAnswers, ...behaviour }),
      service: echoService,
      transport: at,
      verifier: createAccessTokenVerifier({ jwks: publicJwks([key]), clock: systemClock }),
      waits: { readMs: 60_000, writeMs: 60_000 },
      clock: systemClock,
      logger: createLogger({
        service: 'echo',
        level: 'warn',
        destination: { write: (line) => void logs.push(line) },
      }),
      ...options,
    });
  const fixture = { service: await boot(transport) };
  const reached = fixture.service.transport;
  const client = createRpcClient(echoService, reached, systemClock, { budgetMs: BUDGET_MS });
  return Object.assign(fixture, {
    client,
    signer: createAccessTokenSigner({ keys: [key], ttlSeconds: 60, clock: systemClock }),
    logs,
    restart: async () => {
      // Another program may have the port for a moment; any other failure fails the test.
      const restarted = () =>
        boot(reached).catch((error: unknown) => {
          if (String(error).includes('EADDRINUSE')) return undefined;
          throw error;
        });
      fixture.service = await until(restarted, { what: 'the port of the service to be free again' });
    },
    stop: async () => {
      await client.close();
      await fixture.service.close();
    },
  });
}

const emptyAnswers: Behaviour = {
  getUser: () => User.create(),
  updateMe: () => Account.create(),
  signUp: () => Session.create(),
  logOut: () => LogOutResponse.create(),
  findUser: () => User.create(),
};

/** A visitor's request that has more time left than a call may take. */
export function aContext(fields: Partial<RequestContext> = {}): RequestContext {
  return aVisitorContext({ deadline: Date.now() + 600_000, ...fields });
}

/** Runs a call in a context and returns the DomainError with which it must reject. */
export async function errorOf(call: () => Promise<unknown>, context = aContext()): Promise<DomainError> {
  try {
    await runInContext(context, call);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('The call succeeded');
}
