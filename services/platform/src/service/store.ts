import type { DynamicModule } from '@nestjs/common';
import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { z } from 'zod';
import type { OutboxSource } from '../events/outbox/outbox-source.js';
import type { StartPoints } from '../events/start-points.js';
import type { ServiceCommand } from './service-commands.js';
import type { ServiceJob } from './service-job.js';

/** The location of a service's own database. */
export interface StoreTarget {
  /** The service's name. */
  service: string;
  /** The setting that `url` comes from, for messages to the operator. */
  setting: string;
  url: string;
  /** The maximum number of connections. */
  pool: number;
}

export interface MigrateOptions {
  finish?: boolean;
}

/** A service's database of one kind, with its contents: `postgres({ … })` or `mongo({ … })`. */
export interface Store {
  readonly kind: 'postgres' | 'mongo';
  /** The topics of the service's own entities; the outbox publishes them, and they can be republished. */
  readonly owns: readonly Topic<unknown>[];
  /** The one of them on which the service acknowledges erasures, if it does. */
  readonly acknowledges: Topic<ErasedUserState> | undefined;
  /** The zod schema of the setting that names the database, and the default number of connections. */
  readonly url: z.ZodType<string>;
  readonly defaultPool: number;
  /** The store's own jobs. */
  readonly jobs: readonly ServiceJob[];
  /** The commands that the service has for what is in its store. */
  readonly commands: Readonly<Record<string, ServiceCommand>>;
  /** A global module that opens the database, provides its parts to the service (also `OpenStore`), and closes it. */
  module(target: StoreTarget): DynamicModule;
  /**
   * Migrates the database to this version; safe to repeat. With `finish` it also removes what only the version before
   * reads, so none of its processes may run any more. Rejects with StartError if the database is unreachable.
   */
  migrate(target: StoreTarget, options?: MigrateOptions): Promise<void>;
  /** Rejects with StartError if the database is unreachable or not migrated to this version. */
  assertReady(target: StoreTarget): Promise<void>;
}

/** A service's database while it is open. */
export abstract class OpenStore {
  abstract readonly outbox: OutboxSource;
  abstract readonly startPoints: StartPoints;
  /** Rejects when the database does not answer. */
  abstract ping(): Promise<void>;
  /** The database's clock, in ms since the epoch. */
  abstract time(): Promise<number>;
  /** Every current state of an owned topic, in no particular order. */
  abstract states(topic: Topic<unknown>): AsyncIterable<unknown>;
}
