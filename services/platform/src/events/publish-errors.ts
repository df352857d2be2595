/** Why a bus has not published an event: no event of its topic can be published at present, but others may. */
export class TopicUnavailable extends Error {
  override readonly name = 'TopicUnavailable';

  constructor(cause: unknown) {
    super(`the topic takes no events at present: ${String(cause)}`, { cause });
  }
}

/** Why a bus has not published an event: it will refuse this state every time. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge';

  constructor(cause: unknown) {
    super(`the event is larger than the bus allows: ${String(cause)}`, { cause });
  }
}
