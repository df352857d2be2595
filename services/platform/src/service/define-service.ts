import type { Type } from '@nestjs/common';
import { ownerOf, type Topic } from '@pulso/contracts/topics/topic';
import type { JWK } from 'jose';
import type { SettingsClass } from '../config/settings.js';
import type { Projection, Reaction, ReadModel } from '../events/projection.js';
import type { RpcService } from '../rpc/service-definition.js';
import type { ServiceCommand } from './service-commands.js';
import type { ServiceJob } from './service-job.js';
import type { Store } from './store.js';

export interface ServiceDeclaration<S extends object> {
  /** Its database, its settings and its consumer groups are named after it. */
  name: string;
  rpc: RpcService;
  /** Settings of its own; those of its store, keys, cursors, Kafka and process come with every service. */
  settings: SettingsClass<S>;
  /** What verifies access tokens; only the service that signs them says so. Others read `ACCESS_TOKEN_JWKS`. */
  verificationKeys?: (settings: S) => readonly JWK[];
  store: Store;
  /** A Nest module of controllers and providers. What every service has is injected: see `ServiceModule`. */
  module: Type<unknown>;
  /** What it keeps of other services' states; each is a provider of `module` and a consumer group of its own. */
  projects: readonly Type<Projection>[];
  /** What its process remembers of the states that the service itself owns, where a replica may be behind. */
  remembers?: readonly Type<ReadModel>[];
  /** What it does because of other services' events. */
  reactions?: readonly Type<Reaction>[];
  jobs?: readonly ServiceJob[];
  /** Beside migrate, republish, dead-letters, replay and discard. */
  commands?: Readonly<Record<string, ServiceCommand>>;
}

/** One declaration that the service's process, its command line, the embedded launcher, tests and tools read. */
export interface ServiceDefinition extends Readonly<
  Required<Omit<ServiceDeclaration<object>, 'verificationKeys'>>
> {
  readonly verificationKeys: ((settings: object) => readonly JWK[]) | undefined;
  /** The topics that it publishes. */
  readonly owns: readonly Topic<unknown>[];
}

/** Throws where the declaration contradicts itself. */
export function defineService<S extends object>(declaration: ServiceDeclaration<S>): ServiceDefinition {
  const { name, store, jobs = [] } = declaration;
  for (const topic of store.owns) {
    if (ownerOf(topic) !== name) throw new Error(`${name} cannot own ${topic.name}`);
  }
  return {
    remembers: [],
    reactions: [],
    commands: {},
    ...declaration,
    // Its settings are always made by `settings` above.
    verificationKeys: declaration.verificationKeys as ServiceDefinition['verificationKeys'],
    jobs: [...store.jobs, ...jobs],
    owns: store.owns,
  };
}
