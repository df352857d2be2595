import { expect } from '@jest/globals';
import { rpcContracts } from '@pulso/contracts/rpc';
import {
  type Account,
  type Session,
  SignUpRequest,
  UpdateMeRequest,
} from '@pulso/contracts/identity/v1/identity';
import { readInput } from '@pulso/platform/command-line/run-commands';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { inContext } from '@pulso/platform/testing/context';
import { TestService } from '@pulso/platform/testing/test-service';
import { SignUp } from '../src/account/sign-up.js';
import { UpdateMe } from '../src/account/update-me.js';
import { identity } from '../src/service.js';
import type { User } from '../src/store/user.entity.js';
import { UserRepository } from '../src/store/user.repository.js';
import { toAccountMessage } from '../src/user/user-message.js';

type IdentityDefinition = (typeof rpcContracts.identity)['definition'];

/** The answer to a sign-up, and the row that it stored. */
export interface SignedIn extends Session {
  user: User;
}

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

  async signUp(fields: Partial<SignUpRequest> = {}): Promise<SignedIn> {
    const session = await this.get(SignUp).execute(aSignUp(fields));
    return { ...session, user: await this.stored(session) };
  }

  /** Changes a user's own account; may run beside other changes of it. */
  requestUpdate(
    person: Session,
    fields: Partial<UpdateMeRequest>,
    wrote?: ConsistencyToken[],
  ): Promise<Account> {
    return this.as(person, () => this.get(UpdateMe).execute(anUpdate(fields)), wrote);
  }

  /** Changes a user's own account and returns the stored row, which the answer must show. */
  async update(person: Session, fields: Partial<UpdateMeRequest>, wrote?: ConsistencyToken[]): Promise<User> {
    const answer = await this.requestUpdate(person, fields, wrote);
    const user = await this.stored(person);
    expect(answer).toEqual(toAccountMessage(user));
    return user;
  }

  /** The row of a user. */
  async stored(person: Session): Promise<User> {
    return (await this.get(UserRepository).findById(idOf(person)))!;
  }

  /** The session of a user's latest sign-in. */
  async sessionOf(person: Session): Promise<string> {
    const [row] = await this.rows<{ id: string }>(
      'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [idOf(person)],
    );
    return row!.id;
  }

  /** Runs as the user on the device of their latest sign-in. */
  async as<T>(person: Session, run: () => Promise<T>, wrote: ConsistencyToken[] = []): Promise<T> {
    const sessionId = await this.sessionOf(person);
    return inContext({ userId: idOf(person), sessionId, expiresAt: Infinity }, run, { wrote });
  }
}

export const idOf = ({ account }: Session): string => account!.user!.id;

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
