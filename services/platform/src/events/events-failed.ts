/** Why one entity's state could not be read, published, or removed from the outbox. */
export interface EventFailure {
  topic: string;
  key: string;
  error: unknown;
}

/** Work on several events failed for some of them. It succeeded for all others. */
export class EventsFailed extends AggregateError {
  override readonly name = 'EventsFailed';

  constructor(
    what: string,
    readonly failures: readonly EventFailure[],
  ) {
    const [first] = failures;
    const example = first ? `, the first one ${first.topic} ${first.key}: ${String(first.error)}` : '';
    super(
      failures.map(({ error }) => error),
      `${what}: ${failures.length} of them failed${example}`,
    );
  }
}
