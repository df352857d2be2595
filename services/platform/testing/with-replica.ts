import type { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import type { ConsistencyToken } from '../src/context/request-context.js';
import type { RpcClient } from '../src/rpc/rpc-client.js';
import type { RpcServiceDefinition } from '../src/rpc/service-definition.js';
import { InProcessSignals } from '../src/signals/in-process-signals.js';
import { DirectBus } from './direct-bus.js';
import { onTestEnd } from './on-test-end.js';
import { PublishedUsers } from './published-users.js';
import type { Replica, TestService } from './test-service.js';
import { namesDuring } from './transactions.js';

type Replicated<D extends RpcServiceDefinition> = TestService<D, DirectBus>;

/** How a user reads: at which replica, and after which of their writes. */
export interface Reading<D extends RpcServiceDefinition> {
  by?: RpcClient<D>;
  after?: readonly ConsistencyToken[];
}

/** A service that runs twice on one store: what one process has kept in memory, the other one may change. */
export class WithReplica<D extends RpcServiceDefinition> {
  private started: { service: Replicated<D>; other: Replica<D>; users: PublishedUsers } | undefined;

  constructor(private readonly start: (bus: DirectBus) => Promise<Replicated<D>>) {}

  /** With the process that is asked unless `by` names the other one. */
  get service(): Replicated<D> {
    return this.parts.service;
  }

  get other(): Replica<D> {
    return this.parts.other;
  }

  /** Of whom `person` has told. */
  get users(): PublishedUsers {
    return this.parts.users;
  }

  /** The id of a new user whose state has arrived. */
  async person(fields: Partial<UserState> = {}): Promise<string> {
    const state = this.users.first(fields);
    await this.service.tell(userTopic, state);
    return state.id;
  }

  /** Calls a replica as a user, or as a visitor; resolves to the answer. */
  ask<T>(
    userId: string | null,
    call: (client: RpcClient<D>) => Promise<T>,
    { by = this.service.client, after = [] }: Reading<D> = {},
  ): Promise<T> {
    return this.service.as(userId, () => call(by), { after });
  }

  /** Lets a user write; resolves to the consistency tokens of the write. */
  async write(userId: string, call: (client: RpcClient<D>) => Promise<unknown>): Promise<ConsistencyToken[]> {
    const wrote: ConsistencyToken[] = [];
    await this.service.as(userId, call, { wrote });
    return wrote;
  }

  /** No replica hears of what another one does, until the test has ended. */
  loseSignals(): void {
    const { prototype } = InProcessSignals;
    const { send } = prototype;
    prototype.send = () => undefined;
    onTestEnd(() => void (prototype.send = send));
  }

  /** The names of the statements that begin with `prefix` and ran while `read` did. */
  async statements(prefix: string, read: () => Promise<unknown>): Promise<string[]> {
    return (await namesDuring(read)).filter((name) => name.startsWith(prefix));
  }

  async open(): Promise<void> {
    const service = await this.start(new DirectBus());
    try {
      const other = await service.startReplica();
      this.started = { service, other, users: new PublishedUsers(service.clock) };
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.started?.other.stop();
    await this.started?.service.stop();
  }

  private get parts() {
    if (!this.started) throw new Error('the service starts before the first test, and not earlier');
    return this.started;
  }
}

/**
 * Two replicas of a service for all tests of a file or of a `describe`, in which it is called once. `start` gives the bus to
 * the service that it starts. They hear each other's signals, until a test loses them.
 */
export function withReplica<D extends RpcServiceDefinition>(
  start: (bus: DirectBus) => Promise<Replicated<D>>,
): WithReplica<D> {
  const replicated = new WithReplica(start);
  beforeAll(() => replicated.open());
  afterAll(() => replicated.close());
  return replicated;
}
