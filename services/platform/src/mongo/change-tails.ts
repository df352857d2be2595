import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Logger } from '../logging/logger.js';
import { Readiness } from '../service/readiness.js';
import { type ChangedDocument, ChangeTail, type ChangeTailOptions } from './change-tail.js';
import { MongoDatabase } from './mongo-database.js';
import { StoreClock } from './store-clock.js';

/**
 * The tails of a service. Each keeps this process's cache of a collection equal to the store, whichever replica writes.
 * All tails have caught up before the service answers its first call. The service is ready only while their polls
 * succeed.
 */
@Injectable()
export class ChangeTails implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly tails: Pick<ChangeTail<ChangedDocument>, 'start' | 'stop'>[] = [];
  private readonly storeClock: StoreClock;

  constructor(
    private readonly readiness: Readiness,
    private readonly logger: Logger,
    database: MongoDatabase,
    private readonly registry: Registry,
  ) {
    this.storeClock = new StoreClock(() => database.time());
  }

  /** Called in the constructors of a service's providers. */
  watch<D extends ChangedDocument>(
    rows: ChangeTailOptions<D>['rows'] & { readonly name: string },
    options: Omit<ChangeTailOptions<D>, 'rows' | 'logger' | 'registry' | 'storeClock'>,
  ): void {
    const { logger, registry, storeClock } = this;
    const tail = new ChangeTail<D>({ ...options, rows, logger, registry, storeClock });
    this.tails.push(tail);
    this.readiness.add(rows.name, () => tail.assertFresh());
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.tails.map((tail) => tail.start()));
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.tails.map((tail) => tail.stop()));
  }
}
