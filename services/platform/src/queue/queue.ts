/** Tells the workers of a queue which rows are due. */
export interface QueueSender {
  /** Returns at once and never throws. */
  send(rowIds: readonly string[]): void;
}

/** The class of a queue: listed by the service that fills it, named by the work that empties it, and its own injection token. */
export interface QueueClass {
  new (sender: QueueSender): { dispatch(rowIds: readonly string[]): void };
  readonly queueName: string;
}

/**
 * `class MailQueue extends queue('messaging-mail') {}`. Every piece of work is a row in the service's store; the queue only
 * brings its id to a worker soon. Losing what is in the queue therefore loses no work: the worker's sweep finds the row.
 */
export function queue(name: string) {
  return class {
    static readonly queueName = name;

    constructor(private readonly sender: QueueSender) {}

    /**
     * Call it after the commit of the rows. It returns at once and never throws: without the queue the rows wait for the next
     * sweep. An id that is in the queue already is not added again. Ids have no colon and are no integers.
     */
    dispatch(rowIds: readonly string[]): void {
      this.sender.send(rowIds);
    }
  };
}
