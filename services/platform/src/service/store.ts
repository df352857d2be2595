import type { DynamicModule } from '@nestjs/common';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { z } from 'zod';
import type { OutboxSource } from '../events/outbox.js';
import type { ServiceJob } from './service-job.js';

/** Where a service's own database is. */
export interface StoreTarget {
  /** The service's name. */
  service: string;
  /** The setting that `url` comes from, for messages to the operator. */
  setting: string;
  url: string;
  /** Connections at most. */
  pool: number;
}

/** A kind of database with what one service keeps in it: `postgres({ … })` or `mongo({ … })`. */
export interface Store {
  readonly kind: 'postgres' | 'mongo';
  /** The topics of what the service owns; each is published by the outbox and can be republished. */
  readonly owns: readonly Topic<unknown>[];
  /** zod's schema of the setting that names the database, and its default number of connections. */
  readonly url: z.ZodType<string>;
  readonly defaultPool: number;
  /** The store's own regular work. */
  readonly jobs: readonly ServiceJob[];
  /** A global module that opens the database, gives its parts to the service, among them `OpenStore`, and closes it. */
  module(target: StoreTarget): DynamicModule;
  /** Brings the database to this version; safe to repeat. Rejects with StartError when it is out of reach. */
  migrate(target: StoreTarget): Promise<void>;
  /** Rejects with StartError when the database is out of reach or not what this version needs. */
  assertReady(target: StoreTarget): Promise<void>;
}

/** A service's database while it is open. */
export abstract class OpenStore {
  abstract readonly outbox: OutboxSource;
  /** Rejects when the database does not answer. */
  abstract ping(): Promise<void>;
  /** Every present state of an owned topic, in no particular order. */
  abstract states(topic: Topic<unknown>): AsyncIterable<unknown>;
}
