import 'reflect-metadata';
import type { ExceptionFilter, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { entityOf } from '@pulso/contracts/topics/topic';
import { Registry } from 'prom-client';
import { createAccessTokenVerifier } from '../auth/access-token.js';
import { ErasedUsers } from '../erasure/erased-users.js';
import { ErasureGate } from '../erasure/erasure-gate.js';
import { MarkedUsers } from '../erasure/marked-users.js';
import type { Consumer, EventBus } from '../events/event-bus.js';
import { Commits } from '../events/outbox/commits.js';
import { OutboxRelay } from '../events/outbox/outbox.js';
import type { Projection, Reaction, ReadModel } from '../events/projection.js';
import { consistencyGate } from '../events/consistency-gate.js';
import { republish as republishStates } from '../events/republish.js';
import { KnownTokens } from '../events/known-tokens.js';
import { awaitDelivery } from '../events/await-delivery.js';
import type { ReadinessCheck } from '../health/operations-server.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import type { Logger } from '../logging/logger.js';
import { NestLogger } from '../logging/nest-logger.js';
import { JobSender } from '../queue/job-sender.js';
import type { QueueBackend } from '../queue/queue-backend.js';
import type { QueueSender } from '../queue/queue.js';
import { createRpcServer, transportOf, type RpcServer } from '../rpc/rpc-server.js';
import type { RpcTransport } from '../rpc/rpc-transport.js';
import { InProcessSignals } from '../signals/in-process-signals.js';
import type { Signals } from '../signals/signals.js';
import { type Clock, systemClock } from '../time/clock.js';
import type { ServiceDefinition } from './define-service.js';
import { groupName, renamedGroups } from './former-groups.js';
import { startPrivateListener } from './private-listener.js';
import { Readiness } from './readiness.js';
import { serviceModule } from './service-module.js';
import type { ServiceSettings } from './service-settings.js';
import { OpenStore } from './store.js';

export interface ServiceOptions {
  settings: ServiceSettings;
  /** The transport on which it answers rpc. */
  transport: RpcTransport;
  /** Not started yet: booting subscribes the consumers. */
  bus: EventBus;
  /** Where its listener answers, if it has one; a free port of loopback unless given. */
  bytes?: { port: number; host: string };
  /** Heard by nobody else unless given. */
  signals?: Signals;
  /** Where its queues are; unless given, its rows wait for a worker's sweep. */
  queues?: QueueBackend;
  clock?: Clock;
  logger: Logger;
  registry?: Registry;
}

/** A service with an open store and subscribed consumers, which does not listen yet. */
export interface BootedService {
  get<T>(part: Type<T> | (abstract new () => T)): T;
  /** Publishes every current state of an owned entity, such as `user`, again. Resolves to their number. */
  republish(entity: string): Promise<number>;
  /** Starts its providers, then answers rpc, publishes its outbox and runs its jobs. */
  listen(): Promise<RunningService>;
  close(): Promise<void>;
}

export interface RunningService extends Omit<BootedService, 'listen'> {
  name: string;
  /** Each check rejects while the part that it is named after does not work. */
  checks: Readonly<Record<string, ReadinessCheck>>;
  relay: OutboxRelay;
  /** The transport by which clients reach it: the given one, with the bound port. */
  transport: RpcTransport;
  /** The port on which its listener answers HTTP; undefined without one. */
  bytesPort: number | undefined;
  /** Refuses new calls and requests, finishes running ones, publishes their writes, and stops the relay. */
  drain(): Promise<void>;
}

/**
 * Boots a service on a migrated store and subscribes its consumers; call it before `bus.start()`. Providers that must
 * finish starting before the first call implement Nest's `OnApplicationBootstrap`, which `listen` awaits. If the store
 * cannot be reached or the contract has a method without a handler, rejects. A store that was opened is closed, except
 * where a provider's constructor has thrown: Nest then gives no handle to close it by, and the process is to end.
 */
export async function bootService(
  definition: ServiceDefinition,
  options: ServiceOptions,
): Promise<BootedService> {
  const { settings, transport, bus, clock = systemClock, logger, registry = new Registry() } = options;
  const { signals = new InProcessSignals(), queues, bytes = { port: 0, host: '127.0.0.1' } } = options;
  const verifier = createAccessTokenVerifier({ jwks: settings.verificationKeys, clock });
  const senders: JobSender[] = [];
  const senderOf = (queueName: string): QueueSender => {
    if (!queues) return { send: () => undefined };
    const sender = new JobSender(queueName, queues, logger);
    senders.push(sender);
    return sender;
  };
  let server: RpcServer | undefined;
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(
    serviceModule(definition, { settings, bus, signals, senderOf, clock, logger, registry }),
    {
      inject: [KnownTokens, ...definition.projections, ...definition.readModels],
      useFactory: (known: KnownTokens, ...models: ReadModel[]) => {
        server = createRpcServer(transport, {
          service: definition.rpc,
          verifier,
          gate: consistencyGate(models, known),
          waits: settings.waits,
          awaitDelivery: awaitDelivery(bus, settings.waits.readMs),
          clock,
          logger,
          registry,
        });
        return { strategy: server };
      },
      logger: new NestLogger(logger),
      abortOnError: false,
    },
  );
  app.useGlobalFilters(new RethrowFilter());
  const get: BootedService['get'] = (part) => app.get(part as Type, { strict: false });
  const close = async () => {
    await Promise.all(senders.map((sender) => sender.close()));
    await app.close();
  };
  const republish = await orClose(app, () => {
    for (const consumer of consumersOf(definition, get, clock)) bus.subscribe(consumer);
    return republisher(definition, get(OpenStore), bus);
  });
  const booted = { get, close, republish };

  const listen = async (): Promise<RunningService> => {
    await orClose(app, () => app.listen());
    const Listener = definition.listener;
    const listening =
      Listener &&
      (await orClose(app, () =>
        startPrivateListener({ listener: get(Listener), verifier, ...bytes, logger }),
      ));
    const relay = get(OutboxRelay);
    const jobs = definition.jobs.map(({ name, everyMs, afterCommitMs, run }) => {
      const work = (stopping: AbortSignal) => run(get, stopping);
      const job = new PeriodicJob({ name, everyMs, work, logger, registry });
      if (afterCommitMs !== undefined) get(Commits).onCommit(() => job.within(afterCommitMs));
      return job;
    });
    relay.start();
    for (const job of jobs) job.start();
    return {
      ...booted,
      name: definition.name,
      checks: { store: () => get(OpenStore).ping(), ...get(Readiness).checks },
      relay,
      transport: transportOf(transport, server!),
      bytesPort: listening?.port,
      async drain() {
        await Promise.all([server!.close(), listening?.drain()]);
        await relay.finish();
      },
      async close() {
        await Promise.all([listening?.drain(), ...jobs.map((job) => job.stop())]);
        await relay.stop();
        await close();
      },
    };
  };
  return { ...booted, listen };
}

/** Closes the app when a step of its start fails. */
async function orClose<T>(app: INestMicroservice, step: () => Promise<T> | T): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** `bootService`, then `listen`. */
export async function startService(
  definition: ServiceDefinition,
  options: ServiceOptions,
): Promise<RunningService> {
  const service = await bootService(definition, options);
  return service.listen();
}

/** Each projection and each reaction has its own consumer group, so that a stuck one does not delay the others. */
function consumersOf(
  definition: Pick<
    ServiceDefinition,
    'name' | 'consumes' | 'projections' | 'reactions' | 'formerGroups' | 'eraser'
  >,
  get: BootedService['get'],
  clock: Clock,
): Consumer<unknown>[] {
  const { name, reactions } = definition;
  const gate = new ErasureGate(get(MarkedUsers), clock);
  const projections: Projection[] = [
    ...definition.projections.map((part) => get(part)),
    ...(definition.eraser ? [get(ErasedUsers) as Projection] : []),
  ];
  const renamed = renamedGroups([definition]);
  const formerOf = (group: string, topic: string) =>
    renamed.find((each) => each.group === group && each.topic === topic)?.formerGroups ?? [];
  const [{ startPoints }, known] = [get(OpenStore), get(KnownTokens)];
  const projecting = projections.map((projection): Consumer<unknown> => {
    const { topic } = projection;
    const group = groupName(name, { topic, reaction: projection.name });
    return {
      group,
      formerGroups: formerOf(group, topic.name),
      topic,
      handle: async (state, event) => {
        // The gate of consistency then asks no store for the version. What is refused is as well as handled.
        if ((await gate.refuses(topic, state)) || (await projection.apply(state, event))) known.add(event);
      },
      ...(projection.republishStarted && {
        republishStarted: (start) => projection.republishStarted!(start),
      }),
      ...(projection.republishEnded && { republishEnded: (end) => projection.republishEnded!(end) }),
    };
  });
  const reacting = reactions.map((part): Consumer<unknown> => {
    const reaction: Reaction = get(part);
    const { topic } = reaction;
    const group = groupName(name, { topic, reaction: reaction.name });
    const formerGroups = formerOf(group, topic.name);
    return {
      group,
      formerGroups,
      topic,
      reaction: true,
      keepStart: (offsets) => startPoints.keep(group, topic.name, offsets, formerGroups),
      handle: async (state, event) => {
        if (!(await gate.refuses(topic, state))) await reaction.handle(state, event);
      },
    };
  });
  const consumers = [...projecting, ...reacting];
  const groups = new Set(consumers.map(({ group }) => group));
  if (groups.size < consumers.length)
    throw new Error(`${name} has two consumers of one group: ${[...groups].join(', ')}`);
  assertDeclared(definition, consumers);
  for (const { group, topic } of renamed) {
    if (consumers.some((consumer) => consumer.group === group && consumer.topic.name === topic)) continue;
    throw new Error(`${name} has former names of ${group}, but no such consumer of ${topic}`);
  }
  const reused = renamed.flatMap(({ formerGroups }) => formerGroups).filter((former) => groups.has(former));
  if (reused.length > 0) throw new Error(`${name} uses former names of groups: ${reused.join(', ')}`);
  return consumers;
}

/** `consumes` gives the service its rights on the brokers. */
function assertDeclared(
  { name, consumes }: Pick<ServiceDefinition, 'name' | 'consumes'>,
  consumers: readonly Pick<Consumer<unknown>, 'topic'>[],
): void {
  const declared = new Set(consumes.map((topic) => topic.name));
  const consumed = new Set(consumers.map(({ topic }) => topic.name));
  const wrong = [...declared, ...consumed].filter((topic) => declared.has(topic) !== consumed.has(topic));
  if (wrong.length === 0) return;
  throw new Error(`${name} consumes other topics than \`consumes\` says: ${wrong.join(', ')}`);
}

function republisher({ name, owns }: ServiceDefinition, store: OpenStore, bus: EventBus) {
  return async (entity: string): Promise<number> => {
    const topic = owns.find((owned) => entityOf(owned) === entity);
    if (!topic) throw new Error(`${name} owns ${owns.map(entityOf).join(', ')}, and no ${entity}`);
    return republishStates({ topic, states: store.states(topic), bus, time: await store.time() });
  };
}

/** Nest's default filter replaces every error with a generic one before the endpoint sees it. */
class RethrowFilter implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}
