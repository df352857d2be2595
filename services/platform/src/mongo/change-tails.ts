import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Logger } from '../logging/logger.js';
import { Readiness } from '../service/readiness.js';
import { Signals } from '../signals/signals.js';
import { type ChangeListener, ChangeSignals } from './change-signals.js';
import { type ChangedDocument, ChangeTail, type ChangeTailOptions } from './change-tail.js';
import { MongoDatabase } from './mongo-database.js';
import { StoreClock } from './store-clock.js';

/**
 * The tails of a service. Each keeps this process's cache of a collection equal to the store, whichever replica writes:
 * the replicas tell each other when they have written.
 * All tails have caught up before the service answers its first call. The service is ready only while their polls
 * succeed.
 */
@Injectable()
export class ChangeTails implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly tails: Pick<ChangeTail<ChangedDocument>, 'start' | 'stop'>[] = [];
  private readonly followed = new Set<string>();
  private readonly storeClock: StoreClock;
  private readonly changes: ChangeSignals;

  constructor(
    private readonly readiness: Readiness,
    private readonly logger: Logger,
    database: MongoDatabase,
    private readonly registry: Registry,
    signals: Signals,
  ) {
    this.storeClock = new StoreClock(() => database.time());
    this.changes = new ChangeSignals(signals, database.name);
    // The other replicas follow the same collections.
    database.onChange((collection) => {
      if (this.followed.has(collection)) this.changes.tell(collection);
    });
  }

  /** Called in the constructors of a service's providers. The returned tail says whether the cache can be trusted. */
  watch<D extends ChangedDocument>(
    rows: ChangeTailOptions<D>['rows'] & { readonly name: string },
    options: Omit<ChangeTailOptions<D>, 'rows' | 'logger' | 'registry' | 'storeClock' | 'hear'>,
  ): Pick<ChangeTail<D>, 'isCurrent'> {
    const { logger, registry, storeClock, changes } = this;
    const hear = (listener: ChangeListener) => changes.listen(rows.name, listener);
    const tail = new ChangeTail<D>({ ...options, rows, logger, registry, storeClock, hear });
    this.tails.push(tail);
    this.followed.add(rows.name);
    this.readiness.add(rows.name, () => tail.assertFresh());
    return tail;
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.tails.map((tail) => tail.start()));
  }

  async onModuleDestroy(): Promise<void> {
    this.changes.close();
    await Promise.all(this.tails.map((tail) => tail.stop()));
  }
}
