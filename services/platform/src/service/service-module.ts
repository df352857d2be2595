import type { DynamicModule, FactoryProvider, Type, ValueProvider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { createCursorSealer, CursorSealer } from '../auth/sealed-cursor.js';
import type { SettingsClass } from '../process/settings.js';
import { EraseUsers } from '../erasure/erase-users.job.js';
import { UserEraser } from '../erasure/user-eraser.js';
import { UserExport } from '../export/user-export.js';
import { Commits } from '../events/outbox/commits.js';
import type { EventBus } from '../events/event-bus.js';
import { OutboxRelay } from '../events/outbox/outbox.js';
import { KnownTokens } from '../events/known-tokens.js';
import { Logger } from '../logging/logger.js';
import type { QueueSender } from '../queue/queue.js';
import { Signals } from '../signals/signals.js';
import { Clock } from '../time/clock.js';
import type { ServiceDefinition } from './define-service.js';
import { Readiness } from './readiness.js';
import type { ServiceSettings } from './service-settings.js';
import { OpenStore, type Store, type StoreTarget } from './store.js';

class RootModule {}
class PlatformModule {}

/** The parts of a service's or a worker's definition that its modules are made of. */
export interface ModuleParts {
  settings: SettingsClass;
  store: Store;
  module: Type<unknown> | DynamicModule;
  signals: boolean;
}

/** The dependencies of a running process in addition to its definition. */
export interface Surroundings {
  settings: { own: object; store: StoreTarget };
  /** Publishes the outbox. */
  bus: Pick<EventBus, 'publish'>;
  signals: Signals;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

/**
 * The root module of a process with a store: the store, the process's own module, and the providers that may be injected by
 * class: its settings, `Clock`, `Logger`, prom-client's `Registry`, `Commits`, `OutboxRelay`, `KnownTokens`, `Readiness`, the
 * providers of its store, `Signals` if it sends any, and `more`.
 */
export function storeModule(
  { settings: Settings, store, module, signals: sends }: ModuleParts,
  { settings, bus, signals, clock, logger, registry }: Surroundings,
  more: readonly ValueProvider[] = [],
): DynamicModule {
  const values: ValueProvider[] = [
    { provide: Settings, useValue: settings.own },
    { provide: Clock, useValue: clock },
    { provide: Logger, useValue: logger },
    { provide: Registry, useValue: registry },
    ...(sends ? [{ provide: Signals, useValue: signals }] : []),
    ...more,
  ];
  const made: FactoryProvider[] = [
    {
      provide: OutboxRelay,
      useFactory: ({ outbox }: OpenStore) => new OutboxRelay({ sources: [outbox], bus, logger, registry }),
      inject: [OpenStore],
    },
    {
      provide: Commits,
      useFactory: (relay: OutboxRelay, known: KnownTokens) => new Commits(relay, known, clock),
      inject: [OutboxRelay, KnownTokens],
    },
  ];
  const platform: DynamicModule = {
    module: PlatformModule,
    global: true,
    providers: [...values, ...made, KnownTokens, Readiness],
    exports: [...[...values, ...made].map(({ provide }) => provide), KnownTokens, Readiness],
  };
  return { module: RootModule, imports: [platform, store.module(settings.store), module] };
}

export interface ServiceSurroundings extends Surroundings {
  settings: ServiceSettings;
  /** The sender of the queue with this name. */
  senderOf: (queueName: string) => QueueSender;
}

/** The root module of a service: `storeModule` with `CursorSealer`, the service's queues and what else it declares. */
export function serviceModule(
  definition: ServiceDefinition,
  { senderOf, ...surroundings }: ServiceSurroundings,
): DynamicModule {
  const sealer = createCursorSealer({ secrets: surroundings.settings.cursorSecrets });
  const { controllers, projections, readModels, reactions, eraser, exports: exported } = definition;
  const erasing = eraser ? [eraser, { provide: UserEraser, useExisting: eraser }, EraseUsers] : [];
  const exporting = exported ? [exported, { provide: UserExport, useExisting: exported }] : [];
  const module: DynamicModule = {
    module: definition.module,
    controllers: [...controllers],
    providers: [
      ...new Set<Type<unknown>>([...projections, ...readModels, ...reactions]),
      ...[...erasing, ...exporting],
    ],
  };
  return storeModule({ ...definition, module }, surroundings, [
    { provide: CursorSealer, useValue: sealer },
    ...definition.queues.map((Queue) => ({ provide: Queue, useValue: new Queue(senderOf(Queue.queueName)) })),
  ]);
}
