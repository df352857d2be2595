import type { Type } from '@nestjs/common';
import { ownerOf, type Topic } from '@pulso/contracts/topics/topic';
import type { JWK } from 'jose';
import type { UserEraser } from '../erasure/user-eraser.js';
import { exportUserHandler } from '../export/export-user.js';
import type { UserExport } from '../export/user-export.js';
import type { SettingsClass } from '../process/settings.js';
import type { QueueClass } from '../queue/queue.js';
import type { Projection, Reaction, ReadModel } from '../events/projection.js';
import { controllersOf, type HandlersOf } from '../rpc/handlers.js';
import type { RpcService, RpcServiceDefinition } from '../rpc/service-definition.js';
import { type FormerGroups, renamedGroups } from './former-groups.js';
import type { Preparation } from './preparation.js';
import type { HttpListener } from './private-listener.js';
import type { ServiceCommand } from './service-commands.js';
import type { ServiceJob } from './service-job.js';
import type { Store } from './store.js';

export interface ServiceDeclaration<S extends object, D extends RpcServiceDefinition = RpcServiceDefinition> {
  /** The service's name, used in the names of its database, settings and consumer groups. */
  name: string;
  rpc: RpcService<D>;
  /** The use case of each rpc but `exportUser`, which `exports` answers; they need not be listed in `module`. */
  handlers: HandlersOf<Omit<D, 'exportUser'>>;
  /** The service's own settings; every service also has those of its store, keys, cursors, Kafka and process. */
  settings: SettingsClass<S>;
  /** The keys that verify access tokens. Only the service that signs them sets this; others read `ACCESS_TOKEN_JWKS`. */
  verificationKeys?: (settings: S) => readonly JWK[];
  store: Store;
  /** What `migrate` makes besides the database's schema, such as a bucket. */
  prepares?: Preparation;
  /**
   * A Nest module of the providers that are not listed here. They may inject the parts that every service has: see
   * `serviceModule`.
   */
  module: Type<unknown>;
  /** The topics of its projections and reactions: on the brokers its user may read no others. */
  consumes: readonly Topic<unknown>[];
  /** Its projections of other services' states; each has its own consumer group and may be injected. */
  projections: readonly Type<Projection>[];
  /** Its process's caches of the service's own states, in which a replica may be behind. */
  readModels?: readonly Type<ReadModel>[];
  /** Its actions in response to other services' events. */
  reactions?: readonly Type<Reaction>[];
  /**
   * What it does when an account is erased; may be injected. Its store then has `acknowledges`, and `consumes` has identity's `erasureTopic`.
   */
  eraser?: Type<UserEraser>;
  /** What it tells users that it holds of them; may be injected. Its contract then has `exportUser`, which the platform answers. */
  exports?: Type<UserExport>;
  /** The names that its consumer groups had in earlier versions; kept for ever. */
  formerGroups?: readonly FormerGroups[];
  jobs?: readonly ServiceJob[];
  /** Whether it sends signals, as every service on MongoDB does: then its providers may inject `Signals`, and on the cluster it reads `REDIS_URL`. */
  signals?: boolean;
  /** The queues that it fills with rows of its store, for its workers; its providers may inject them by class. */
  queues?: readonly QueueClass[];
  /** Answers HTTP requests on a port of its own, `BYTES_PORT`; a provider of `module`. */
  listener?: Type<HttpListener>;
  /** Folders of its objects that no backup has, because what is in them can be made again. Each ends with a slash. */
  notBackedUp?: readonly string[];
  /** Commands in addition to migrate, republish, dead-letters, replay, discard and those of its store. */
  commands?: Readonly<Record<string, ServiceCommand>>;
}

/** The definition of a service, read by its process, its command line, the embedded launcher, tests and tools. */
export interface ServiceDefinition extends Readonly<
  Required<
    Omit<
      ServiceDeclaration<object>,
      'handlers' | 'verificationKeys' | 'listener' | 'prepares' | 'eraser' | 'exports'
    >
  >
> {
  readonly controllers: readonly Type<unknown>[];
  readonly prepares: Preparation | undefined;
  readonly listener: Type<HttpListener> | undefined;
  readonly eraser: Type<UserEraser> | undefined;
  readonly exports: Type<UserExport> | undefined;
  readonly verificationKeys: ((settings: object) => readonly JWK[]) | undefined;
  /** The topics that it publishes. */
  readonly owns: readonly Topic<unknown>[];
}

const BUILT_IN_COMMANDS = new Set(['migrate', 'republish', 'dead-letters', 'replay', 'discard']);

/** Throws if the declaration contradicts itself. */
export function defineService<S extends object, D extends RpcServiceDefinition>(
  declaration: ServiceDeclaration<S, D>,
): ServiceDefinition {
  const { name, store, jobs = [], commands = {}, formerGroups = [], handlers, ...declared } = declaration;
  for (const topic of store.owns) {
    if (ownerOf(topic) !== name) throw new Error(`${name} cannot own ${topic.name}`);
  }
  if ((declaration.eraser === undefined) !== (store.acknowledges === undefined))
    throw new Error(`${name} acknowledges erasures by an eraser and a topic of its store, or by neither`);
  if ((declaration.exports === undefined) !== !Object.hasOwn(declaration.rpc.definition, 'exportUser'))
    throw new Error(`${name} tells what it holds of a user by exports and an rpc exportUser, or by neither`);
  // The cast is safe: the contract has `exportUser` exactly if there are `exports`.
  const answering = {
    ...handlers,
    ...(declaration.exports && { exportUser: exportUserHandler() }),
  } as HandlersOf<D>;
  const builtIn = new Set([...BUILT_IN_COMMANDS, ...Object.keys(store.commands)]);
  const taken = Object.keys(commands).filter((command) => builtIn.has(command));
  if (taken.length > 0) throw new Error(`${name} cannot have a command of its own named ${taken.join(', ')}`);
  renamedGroups([{ name, formerGroups }]);
  return {
    readModels: [],
    reactions: [],
    queues: [],
    notBackedUp: [],
    ...declared,
    ...{ name, store, formerGroups },
    commands: { ...store.commands, ...commands },
    signals: declaration.signals ?? store.kind === 'mongo',
    controllers: controllersOf(declaration.rpc, answering),
    listener: declaration.listener,
    eraser: declaration.eraser,
    exports: declaration.exports,
    prepares: declaration.prepares,
    // The cast is safe: the function is called only with an instance of `settings` above.
    verificationKeys: declaration.verificationKeys as ServiceDefinition['verificationKeys'],
    jobs: [...store.jobs, ...jobs],
    owns: store.owns,
  };
}
