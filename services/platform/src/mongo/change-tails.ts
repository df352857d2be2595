import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../logging/logger.js';
import { Readiness } from '../service/readiness.js';
import { type ChangedDocument, ChangeTail, type ChangeTailOptions } from './change-tail.js';

/**
 * The tails of a service: each keeps what this process remembers of a collection equal to the store's, whichever
 * replica writes there. All have caught up before the service answers its first call. The service is ready while they
 * get through to the store.
 */
@Injectable()
export class ChangeTails implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly tails: Pick<ChangeTail<ChangedDocument>, 'start' | 'stop'>[] = [];

  constructor(
    private readonly readiness: Readiness,
    private readonly logger: Logger,
  ) {}

  /** Called by the parts of a service when they are made. */
  follow<D extends ChangedDocument>(
    rows: ChangeTailOptions<D>['rows'] & { readonly name: string },
    options: Omit<ChangeTailOptions<D>, 'rows' | 'logger'>,
  ): void {
    const tail = new ChangeTail<D>({ ...options, rows, logger: this.logger });
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
