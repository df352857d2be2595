import type { DynamicModule } from '@nestjs/common';
import { Registry } from 'prom-client';
import { createCursorSealer, CursorSealer } from '../auth/sealed-cursor.js';
import { Commits } from '../events/commits.js';
import type { EventBus } from '../events/event-bus.js';
import { OutboxRelay } from '../events/outbox.js';
import { SeenTokens } from '../events/seen-tokens.js';
import { Logger } from '../logging/logger.js';
import { Clock } from '../time/clock.js';
import type { ServiceDefinition } from './define-service.js';
import { Readiness } from './readiness.js';
import type { ServiceSettings } from './service-settings.js';
import { OpenStore } from './store.js';

class ServiceModule {}
class PlatformModule {}

/** The dependencies of a running service in addition to its definition. */
export interface ServiceSurroundings {
  settings: ServiceSettings;
  /** Publishes the outbox. */
  bus: Pick<EventBus, 'publish'>;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

/**
 * The root module of a service: its store, its own module, and the providers that every service may inject by class: its
 * settings, `Clock`, `CursorSealer`, `Logger`, prom-client's `Registry`, `Commits`, `OutboxRelay`, `SeenTokens`,
 * `Readiness`, and the providers of its store.
 */
export function serviceModule(
  { settings: Settings, store, module }: ServiceDefinition,
  { settings, bus, clock, logger, registry }: ServiceSurroundings,
): DynamicModule {
  const platform: DynamicModule = {
    module: PlatformModule,
    global: true,
    providers: [
      { provide: Settings, useValue: settings.own },
      { provide: Clock, useValue: clock },
      { provide: Logger, useValue: logger },
      { provide: Registry, useValue: registry },
      { provide: CursorSealer, useValue: createCursorSealer({ secrets: settings.cursorSecrets }) },
      {
        provide: OutboxRelay,
        useFactory: ({ outbox }: OpenStore) => new OutboxRelay({ sources: [outbox], bus, logger, registry }),
        inject: [OpenStore],
      },
      {
        provide: Commits,
        useFactory: (relay: OutboxRelay, seen: SeenTokens) => new Commits(relay, seen, clock),
        inject: [OutboxRelay, SeenTokens],
      },
      SeenTokens,
      Readiness,
    ],
  };
  platform.exports = [
    ...[Settings, Clock, Logger, Registry, CursorSealer],
    ...[OutboxRelay, Commits, SeenTokens, Readiness],
  ];
  return { module: ServiceModule, imports: [platform, store.module(settings.store), module] };
}
