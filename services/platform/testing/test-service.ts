import type { Type } from '@nestjs/common';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { Pool } from 'pg';
import { drainEvents } from '../src/events/outbox/drain-events.js';
import type { EventBus } from '../src/events/event-bus.js';
import { eventOf } from '../src/events/event-record.js';
import { InProcessBus } from '../src/events/in-process/in-process-bus.js';
import { migrateBus } from '../src/events/in-process/bus-schema.js';
import type { RetryPolicy } from '../src/events/retry-policy.js';
import { createLogger } from '../src/logging/logger.js';
import type { PostgresStore } from '../src/postgres/postgres-store.js';
import { InProcessNetwork } from '../src/rpc/in-process.js';
import { createRpcClient, type RpcClient } from '../src/rpc/rpc-client.js';
import type { RpcTransport } from '../src/rpc/rpc-transport.js';
import type { RpcService, RpcServiceDefinition } from '../src/rpc/service-definition.js';
import type { ServiceDefinition } from '../src/service/define-service.js';
import { databaseUrlSetting, readServiceSettings } from '../src/service/service-settings.js';
import type { Store } from '../src/service/store.js';
import { InProcessSignals } from '../src/signals/in-process-signals.js';
import type { SignalListener } from '../src/signals/signals.js';
import {
  bootService,
  type BootedService,
  type RunningService,
  type ServiceOptions,
  startService,
} from '../src/service/start-service.js';
import type { Clock } from '../src/time/clock.js';
import { CALL_MS, type Callers, type CallOptions } from './callers.js';
import { aMongoDatabase, aPostgresDatabase } from './databases.js';
import { DirectBus } from './direct-bus.js';
import { ManualClock } from './manual-clock.js';
import { refuseUnpublishedRows } from './published-rows.js';
import { TestKeys } from './test-keys.js';

/** A `DirectBus` takes several replicas, which the durable bus of a process does not. */
type TestedBus = InProcessBus | DirectBus;

export interface TestServiceOptions<B extends TestedBus = InProcessBus, C extends Clock = ManualClock> {
  /** By the names of environment variables, in addition to those that the kit sets itself. */
  settings?: Readonly<Record<string, string>>;
  clock?: C;
  /** Defaults to in-process. */
  transport?: RpcTransport;
  /** Whether the contract migrations run, too; true unless given. */
  finish?: boolean;
  /** Defaults to a durable bus of one process. */
  bus?: B;
  /** Of the durable bus. */
  retry?: Partial<RetryPolicy>;
}

/** A process of the service. */
export interface Replica<D extends RpcServiceDefinition> {
  readonly running: RunningService;
  readonly client: RpcClient<D>;
  stop(): Promise<void>;
}

/** How a service under test is started. */
interface Started<D extends RpcServiceDefinition, B extends TestedBus, C extends Clock> {
  readonly definition: ServiceDefinition;
  readonly contract: RpcService<D>;
  readonly transport: RpcTransport | undefined;
  readonly clock: C;
  readonly bus: B;
  readonly env: Readonly<Record<string, string>>;
  readonly keys: TestKeys;
  readonly pool: Pool | undefined;
  readonly endings: Ending[];
}

/** The newest delivered state of each key, as a projection of another service would hold it. */
export type Delivered = Map<string, { version: number }>;

/**
 * A service on a real store and a real bus, called by rpc; time stands still until a test moves it. A write
 * to a published entity fails if it does not publish it.
 */
export class TestService<
  D extends RpcServiceDefinition,
  B extends TestedBus = InProcessBus,
  C extends Clock = ManualClock,
> {
  readonly clock: C;
  readonly bus: B;
  /** The environment with which the service was started; its commands and processes can be started with it too. */
  readonly env: Readonly<Record<string, string>>;
  /** What other services sign for this one. */
  readonly keys: TestKeys;
  /** The delivered states of the service's own entities, by topic name. */
  readonly delivered: ReadonlyMap<string, Delivered>;
  private readonly callers: Callers;
  private current!: Replica<D>;
  /** Replicas hear each other. */
  private readonly signals = new InterruptedSignals();

  private constructor(private readonly started: Started<D, B, C>) {
    const { clock, bus, env, keys, definition } = started;
    this.clock = clock;
    this.bus = bus;
    this.env = env;
    this.keys = keys;
    this.callers = keys.callers(clock);
    this.delivered = new Map(definition.owns.map((topic) => [topic.name, shadow(bus, topic)]));
  }

  static async start<
    D extends RpcServiceDefinition,
    B extends TestedBus = InProcessBus,
    C extends Clock = ManualClock,
  >(
    definition: ServiceDefinition,
    contract: RpcService<D>,
    options: TestServiceOptions<B, C> = {},
  ): Promise<TestService<D, B, C>> {
    const endings: Ending[] = [];
    try {
      return await TestService.open(definition, contract, options, endings);
    } catch (error) {
      // What has started would keep Jest from ending. The failure of the start is the one to show.
      await end(endings).catch(() => undefined);
      throw error;
    }
  }

  private static async open<D extends RpcServiceDefinition, B extends TestedBus, C extends Clock>(
    definition: ServiceDefinition,
    contract: RpcService<D>,
    options: TestServiceOptions<B, C>,
    endings: Ending[],
  ): Promise<TestService<D, B, C>> {
    const { finish = true, retry, transport } = options;
    // Who gives no clock gets the one that is the default of its type; so does the bus.
    const clock = options.clock ?? (new ManualClock(Date.UTC(2026, 10, 20)) as Clock as C);
    const { name, store } = definition;
    const relational = isPostgres(store) || !options.bus ? await aPostgresDatabase(name) : undefined;
    if (relational) endings.push(() => relational.drop());
    const documents = isPostgres(store) ? undefined : aMongoDatabase(name);
    if (documents) endings.push(() => documents.drop());
    const keys = await TestKeys.generate();
    const env = {
      [databaseUrlSetting(name)]: (documents ?? relational!).url,
      ...keys.env,
      ...options.settings,
    };
    const settings = readServiceSettings(definition, env);
    await store.migrate(settings.store, { finish });
    if (isPostgres(store)) await refuseUnpublishedRows(store, settings.store);

    const bus = options.bus ?? ((await aDurableBus(relational!.pool, clock, retry)) as TestedBus as B);
    endings.push(() => bus.stop());
    const started = { definition, contract, transport, clock, bus, env, keys, endings };
    const service = new TestService<D, B, C>({ ...started, pool: relational?.pool });
    service.current = await service.startReplica();
    endings.push(() => service.current.stop());
    await bus.start();
    return service;
  }

  /** The process that `client`, `as` and `get` use. */
  get running(): RunningService {
    return this.current.running;
  }

  get client(): RpcClient<D> {
    return this.current.client;
  }

  /** A pool on the service's own database if that is PostgreSQL, else on that of the durable bus. */
  get pool(): Pool {
    if (!this.started.pool) throw new Error('nothing of this service is in PostgreSQL');
    return this.started.pool;
  }

  /** Starts one more process on the same store; a `DirectBus` is needed. `changed` settings have the environment's names. */
  async startReplica(changed: Readonly<Record<string, string>> = {}): Promise<Replica<D>> {
    const { definition, contract, clock, bus } = this.started;
    const own = bus instanceof DirectBus ? bus.join() : bus;
    const { signals } = this;
    const running = await startService(definition, { ...this.optionsOf(own, changed), signals });
    const client = createRpcClient(contract, running.transport, clock, { budgetMs: CALL_MS });
    const stop = async () => {
      // The durable bus has one process, and ends with it.
      if (own !== bus) await own.stop();
      await client.close();
      await running.close();
    };
    return { running, client, stop };
  }

  /** Stops the service and starts it again on the same store; a `DirectBus` is needed. */
  async restart(meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await this.current.stop();
    await meanwhile();
    this.current = await this.startReplica();
  }

  /** Runs `work` with the parts of a process that then stops, as after a kill: nothing continues what it wrote. */
  async inKilledReplica(work: (replica: Pick<BootedService, 'get'>) => Promise<unknown>): Promise<void> {
    const replica = await bootService(this.started.definition, this.optionsOf(new DirectBus()));
    try {
      await work(replica);
    } finally {
      await replica.close();
    }
  }

  /** Stops the service and removes its data. */
  stop(): Promise<void> {
    return end(this.started.endings);
  }

  /** A provider of the service, by its class. */
  get<T>(part: Type<T> | (abstract new () => T)): T {
    return this.running.get(part);
  }

  /** The `Authorization` header of a user's requests. */
  authorizationOf(userId: string): Promise<string> {
    return this.callers.authorizationOf(userId);
  }

  /** Calls the service as a user, or as a visitor. `wrote` gets the consistency tokens of the call's writes. */
  as<T>(
    userId: string | null,
    call: (client: RpcClient<D>) => Promise<T>,
    options?: Partial<CallOptions>,
  ): Promise<T> {
    return this.callers.as(userId, () => call(this.client), options);
  }

  /** Publishes a state in place of its owner and waits until the service has handled it. */
  async tell<T>(topic: Topic<T>, state: T): Promise<void> {
    const event = eventOf(topic, state);
    await this.bus.publish([event]);
    if (!(await this.bus.delivered([event], CALL_MS))) throw new Error(`${event.id} was not delivered`);
    // A state that is older than a handled one counts as delivered before it has arrived.
    await this.drainEvents();
  }

  /** Resolves when all committed states have been delivered, including those that consumers wrote. */
  drainEvents(): Promise<void> {
    return drainEvents({ relays: [this.running.relay], bus: this.bus, timeoutMs: CALL_MS });
  }

  /** The last delivered state of a key. */
  deliveredState<T>(topic: Topic<T>, key: string): T | undefined {
    return this.delivered.get(topic.name)!.get(key) as T | undefined;
  }

  async rows<T>(query: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.pool.query(query, parameters)).rows as T[];
  }

  /** Lets all processes forget what signals would have told them of: as many may have been lost as after an outage. */
  interruptSignals(): void {
    this.signals.interrupt();
  }

  /**
   * Changes rows without the service, whose processes then read them anew: published entities need not be published. All other
   * triggers work.
   */
  async tamper(statement: string, parameters: unknown[] = []): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query("SET pulso.tampering = 'on'");
      await client.query(statement, parameters);
    } finally {
      client.release(true);
    }
    this.interruptSignals();
  }

  /** How a process of the service is started. */
  private optionsOf(bus: EventBus, changed: Readonly<Record<string, string>> = {}): ServiceOptions {
    const { definition, clock, env } = this.started;
    const { transport = { kind: 'in-process', network: new InProcessNetwork() } } = this.started;
    const settings = readServiceSettings(definition, { ...env, ...changed });
    return {
      ...{ settings, transport, bus, clock },
      logger: createLogger({ service: definition.name, level: 'fatal' }),
    };
  }
}

class InterruptedSignals extends InProcessSignals {
  private readonly hearing = new Set<SignalListener>();

  override listen(listener: SignalListener): () => void {
    const end = super.listen(listener);
    this.hearing.add(listener);
    return () => {
      end();
      this.hearing.delete(listener);
    };
  }

  interrupt(): void {
    for (const listener of this.hearing) {
      listener.lost?.();
      listener.resumed?.();
    }
  }
}

type Ending = () => Promise<void>;

/** The last one first. */
async function end(endings: Ending[]): Promise<void> {
  for (const ending of endings.splice(0).reverse()) await ending();
}

const isPostgres = (store: Store): store is PostgresStore => store.kind === 'postgres';

async function aDurableBus(pool: Pool, clock: Clock, retry?: Partial<RetryPolicy>): Promise<InProcessBus> {
  await migrateBus(pool);
  return new InProcessBus({ pool, clock, logger: createLogger({ service: 'bus', level: 'fatal' }), retry });
}

/** Subscribes like a projection of another service: idempotent by version. */
function shadow<T extends { version: number }>(bus: EventBus, topic: Topic<unknown>): Delivered {
  const states: Delivered = new Map();
  bus.subscribe<T>({
    group: `elsewhere.${topic.name}`,
    topic: topic as unknown as Topic<T>,
    handle: async (state, { key }) => {
      if ((states.get(key)?.version ?? 0) < state.version) states.set(key, state);
    },
  });
  return states;
}
