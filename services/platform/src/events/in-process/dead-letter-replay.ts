import { AsyncResource } from 'node:async_hooks';
import type { Logger } from 'pino';
import type { BusMetrics } from '../bus-metrics.js';
import type { Consumer, EventRecord, Replay } from '../event-bus.js';
import { ReplayTally } from '../replay-tally.js';
import { errorText } from '../retry-policy.js';
import type { DeadLetterStore, StoredDeadLetter } from './dead-letter-store.js';
import type { StoredDelivery } from './stored-delivery.js';

export interface DeadLetterReplayOptions {
  store: DeadLetterStore;
  metrics: BusMetrics;
  logger: Logger;
  consumerOf(group: string, topic: string): Consumer<unknown> | undefined;
  /** See `InProcessDelivery.handle`. */
  handle(consumer: Consumer<unknown>, event: EventRecord): Promise<boolean>;
  /** Called when the handler has succeeded, or the group no longer consumes the topic. */
  handled(delivery: StoredDelivery, consumer: Consumer<unknown> | undefined): void;
}

/** Gives dead letters to their handlers once more; each stays until its handler has succeeded. */
export class DeadLetterReplay {
  // Handlers must not inherit the context of the operator's command.
  private readonly outside = new AsyncResource('DeadLetterReplay');

  constructor(private readonly options: DeadLetterReplayOptions) {}

  /** Of these groups, or only those of `eventId`; see `OperableBus.replay`. */
  async run(groups: readonly string[], eventId: string | undefined): Promise<Replay> {
    const tally = new ReplayTally();
    for (const group of groups) {
      for (let after: string | undefined = '0'; after !== undefined;) {
        const letters = await this.options.store.withEvents(group, eventId, after);
        for (const letter of letters) await this.outside.runInAsyncScope(() => this.replay(letter, tally));
        after = letters.at(-1)?.seq;
      }
    }
    return tally.result;
  }

  private async replay(letter: StoredDeadLetter, tally: ReplayTally): Promise<void> {
    const { group, event, attempts, failedAt } = letter;
    const consumer = this.options.consumerOf(group, event.topic);
    let error: string | undefined;
    const isTried = await this.options.store.redeliver(
      letter,
      async () => (error = await this.tryAgain(letter, consumer)),
    );
    if (!isTried) return;
    const { topic, key } = event;
    tally.add({ group, eventId: event.id, topic, key, attempts, failedAt }, error);
    if (error === undefined) this.options.handled(letter, consumer);
  }

  /** Resolves to why the handler failed, or undefined if it did not. */
  private async tryAgain(
    { group, event }: StoredDelivery,
    consumer: Consumer<unknown> | undefined,
  ): Promise<string | undefined> {
    const { metrics, logger, handle } = this.options;
    try {
      if (!consumer || (await handle(consumer, event))) return undefined;
      return 'not all states of its republication have been handled';
    } catch (error) {
      metrics.failed(group, event.topic);
      logger.warn({ group, event: event.id, err: error }, 'a dead letter failed again');
      return errorText(error);
    }
  }
}
