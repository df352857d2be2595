import type { Type } from '@nestjs/common';
import type { SettingsClass } from '../process/settings.js';
import type { Work } from '../queue/work.js';
import type { ServiceDefinition } from './define-service.js';

export interface WorkerDeclaration<S extends object> {
  /** The process's name, which begins with the service's: `messaging-mail`. */
  name: string;
  /** The service on whose store it works. Its own process fills the queues, publishes the outbox and consumes events. */
  service: ServiceDefinition;
  /** The worker's own settings; it also has those of the store, of Redis and of every process. */
  settings: SettingsClass<S>;
  /** A Nest module without controllers. It may inject what a service's may, except `CursorSealer`. */
  module: Type<unknown>;
  /** Providers of `module`: one for each queue. */
  works: readonly Type<Work>[];
}

/** The definition of a worker, read by its process, the embedded launcher, tests and tools. */
export type WorkerDefinition = Readonly<WorkerDeclaration<object>>;

/** Throws if the declaration contradicts itself. */
export function defineWorker<S extends object>(declaration: WorkerDeclaration<S>): WorkerDefinition {
  const { name, service } = declaration;
  if (!name.startsWith(`${service.name}-`))
    throw new Error(`${name} must begin with ${service.name}-, whose store it uses`);
  return declaration;
}
