import type { Type } from '@nestjs/common';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { Pool } from 'pg';
import { drainEvents } from '../src/events/drain-events.js';
import { eventOf } from '../src/events/event-record.js';
import { InProcessBus } from '../src/events/in-process-bus.js';
import { migrateBus } from '../src/events/bus-schema.js';
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
import { type RunningService, startService } from '../src/service/start-service.js';
import { CALL_MS, type Callers, type CallOptions } from './callers.js';
import { aMongoDatabase, aPostgresDatabase } from './databases.js';
import { ManualClock } from './manual-clock.js';
import { refuseUnpublishedRows } from './published-rows.js';
import { TestKeys } from './test-keys.js';

export interface TestServiceOptions {
  /** By the names of environment variables, in addition to those that the kit sets itself. */
  settings?: Readonly<Record<string, string>>;
  clock?: ManualClock;
  /** Defaults to in-process. */
  transport?: RpcTransport;
  /** Whether the contract migrations run, too; true unless given. */
  finish?: boolean;
  /** Of the bus. */
  retry?: Partial<RetryPolicy>;
}

/** The newest delivered state of each key, as a projection of another service would hold it. */
export type Delivered = Map<string, { version: number }>;

/**
 * A service on a real store and a real bus, called by rpc; time stands still until a test moves it. A write
 * to a published entity fails if it does not publish it.
 */
export class TestService<D extends RpcServiceDefinition> {
  private constructor(
    readonly running: RunningService,
    readonly client: RpcClient<D>,
    readonly clock: ManualClock,
    readonly bus: InProcessBus,
    /** The environment with which the service was started; its commands and processes can be started with it too. */
    readonly env: Readonly<Record<string, string>>,
    /** A pool on the service's own database if that is PostgreSQL. */
    readonly pool: Pool,
    /** The delivered states of the service's own entities, by topic name. */
    readonly delivered: ReadonlyMap<string, Delivered>,
    private readonly callers: Callers,
    private readonly endings: Ending[],
  ) {}

  static async start<D extends RpcServiceDefinition>(
    definition: ServiceDefinition,
    contract: RpcService<D>,
    options: TestServiceOptions = {},
  ): Promise<TestService<D>> {
    const endings: Ending[] = [];
    try {
      return await TestService.open(definition, contract, options, endings);
    } catch (error) {
      // What has started would keep Jest from ending. The failure of the start is the one to show.
      await end(endings).catch(() => undefined);
      throw error;
    }
  }

  private static async open<D extends RpcServiceDefinition>(
    definition: ServiceDefinition,
    contract: RpcService<D>,
    options: TestServiceOptions,
    endings: Ending[],
  ): Promise<TestService<D>> {
    const { clock = new ManualClock(Date.UTC(2026, 10, 20)) } = options;
    const { finish = true } = options;
    const { transport = { kind: 'in-process', network: new InProcessNetwork() } } = options;
    const { name, store } = definition;
    const relational = await aPostgresDatabase(name);
    endings.push(() => relational.drop());
    const documents = isPostgres(store) ? undefined : aMongoDatabase(name);
    if (documents) endings.push(() => documents.drop());
    const keys = await TestKeys.generate();
    const env = {
      [databaseUrlSetting(name)]: (documents ?? relational).url,
      ...keys.env,
      ...options.settings,
    };
    const settings = readServiceSettings(definition, env);
    await store.migrate(settings.store, { finish });
    if (isPostgres(store)) await refuseUnpublishedRows(store, settings.store);
    await migrateBus(relational.pool);

    const logger = createLogger({ service: name, level: 'fatal' });
    const bus = new InProcessBus({ pool: relational.pool, clock, logger, retry: options.retry });
    endings.push(() => bus.stop());
    const running = await startService(definition, { settings, transport, bus, clock, logger });
    endings.push(() => running.close());
    const delivered = new Map(definition.owns.map((topic) => [topic.name, shadow(bus, topic)]));
    await bus.start();
    const callers = keys.callers(clock);
    const client = createRpcClient(contract, running.transport, clock, { budgetMs: CALL_MS });
    endings.push(() => client.close());
    return new TestService(running, client, clock, bus, env, relational.pool, delivered, callers, endings);
  }

  /** Stops the service and removes its data. */
  stop(): Promise<void> {
    return end(this.endings);
  }

  /** A provider of the service, by its class. */
  get<T>(part: Type<T> | (abstract new () => T)): T {
    return this.running.get(part);
  }

  /** The `Authorization` header of a user's requests. */
  authorizationOf(userId: string, sessionId?: string): Promise<string> {
    return this.callers.authorizationOf(userId, sessionId);
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

  /** Changes rows without the service: published entities need not be published. All other triggers work. */
  async tamper(statement: string, parameters: unknown[] = []): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query("SET pulso.tampering = 'on'");
      await client.query(statement, parameters);
    } finally {
      client.release(true);
    }
  }
}

type Ending = () => Promise<void>;

/** The last one first. */
async function end(endings: Ending[]): Promise<void> {
  for (const ending of endings.splice(0).reverse()) await ending();
}

const isPostgres = (store: Store): store is PostgresStore => store.kind === 'postgres';

/** Subscribes like a projection of another service: idempotent by version. */
function shadow<T extends { version: number }>(bus: InProcessBus, topic: Topic<unknown>): Delivered {
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
