import { rpcContracts } from '@pulso/contracts/rpc';
import { SignUpRequest, UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { readInput } from '@pulso/platform/command-line/run-commands';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { inContext } from '@pulso/platform/testing/context';
import { TestService } from '@pulso/platform/testing/test-service';
import { SignUp } from '../src/account/sign-up.js';
import { identity } from '../src/service.js';
import type { SignedIn } from '../src/session/session-issuer.js';

type IdentityDefinition = (typeof rpcContracts.identity)['definition'];

/** The service, and its use cases called without rpc. */
export class Identity {
  private constructor(readonly service: TestService<IdentityDefinition>) {}

  static async start(settings?: Record<string, string>): Promise<Identity> {
    return new Identity(await TestService.start(identity, rpcContracts.identity, { settings }));
  }

  get clock() {
    return this.service.clock;
  }

  stop = () => this.service.stop();
  get: TestService<IdentityDefinition>['get'] = (part) => this.service.get(part);
  rows = <T>(query: string, parameters?: unknown[]) => this.service.rows<T>(query, parameters);

  /** Runs a command of identity's command line; returns the lines that it prints. */
  async command(name: string, ...words: string[]): Promise<string[]> {
    const command = identity.commands[name]!;
    const run = command.prepare(readInput(command, words));
    return [...(await run(this.service.running))];
  }

  signUp(fields: Partial<SignUpRequest> = {}): Promise<SignedIn> {
    return this.get(SignUp).execute(aSignUp(fields));
  }

  /** The session of `signedIn`; there is one session for each sign-in. */
  async sessionOf({ user }: SignedIn): Promise<string> {
    const [row] = await this.rows<{ id: string }>(
      'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [user.id],
    );
    return row!.id;
  }

  /** Runs as the user on the device of their latest sign-in. */
  async as<T>(signedIn: SignedIn, run: () => Promise<T>, wrote: ConsistencyToken[] = []): Promise<T> {
    const sessionId = await this.sessionOf(signedIn);
    return inContext({ userId: signedIn.user.id, sessionId, expiresAt: Infinity }, run, { wrote });
  }
}

export const PASSWORD = 'a long walk uphill';

let people = 0;

/** A valid sign-up of a new user. */
export function aSignUp(fields: Partial<SignUpRequest> = {}): SignUpRequest {
  people += 1;
  return {
    email: `person-${people}@example.org`,
    password: PASSWORD,
    name: `Person ${people}`,
    username: `person-${people}`,
    isCoach: false,
    bio: '',
    specialties: [],
    device: { userAgent: 'Firefox on a laptop', address: '192.0.2.1' },
    language: '',
    ...fields,
  };
}

export const anUpdate = (fields: Partial<UpdateMeRequest>): UpdateMeRequest =>
  UpdateMeRequest.fromPartial(fields);
