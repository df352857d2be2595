import { newId } from '../ids/uuid-v7.js';
import type { Signals } from '../signals/signals.js';

/** At most one signal of a collection is sent in this time, in milliseconds: the last one follows the last write. */
const AT_MOST_EVERY_MS = 50;

/** Hears of the writes of other replicas. */
export interface ChangeListener {
  /** Another replica has written rows of the collection. */
  changed(): void;
  /** From now on such writes may not be told: look for them. */
  lost(): void;
  /** They are told, for the first time or again; those before may not have been. */
  resumed(): void;
}

/**
 * Tells the replicas of a service which collections this one has written. A replica that writes dies before it has told
 * in the worst case, so nothing depends on a signal but how soon others read the rows.
 */
export class ChangeSignals {
  /** A replica knows its own writes. */
  private readonly replica = newId();
  private readonly prefix: string;
  /** By collection: the time in which it is not told again, and whether there is more to tell afterwards. */
  private readonly pauses = new Map<string, { timer: NodeJS.Timeout; more: boolean }>();
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly signals: Signals,
    database: string,
  ) {
    this.prefix = `rows:${database}:`;
  }

  /** Call it after each commit; cheap. */
  tell(collection: string): void {
    const pause = this.pauses.get(collection);
    if (pause) pause.more = true;
    else this.send(collection);
  }

  listen(collection: string, listener: ChangeListener): void {
    const ofCollection = `${this.prefix}${collection}:`;
    const own = ofCollection + this.replica;
    const end = this.signals.listen({
      heard: (channel) => {
        if (channel.startsWith(ofCollection) && channel !== own) listener.changed();
      },
      lost: () => listener.lost(),
      resumed: () => listener.resumed(),
    });
    this.ends.push(end);
  }

  /** Tells what is still to be told, and hears nothing more. */
  close(): void {
    for (const end of this.ends.splice(0)) end();
    for (const [collection, { timer, more }] of this.pauses) {
      clearTimeout(timer);
      if (more) this.signals.send(this.channelOf(collection));
    }
    this.pauses.clear();
  }

  private send(collection: string): void {
    this.signals.send(this.channelOf(collection));
    const timer = setTimeout(() => this.pauseEnded(collection), AT_MOST_EVERY_MS).unref();
    this.pauses.set(collection, { timer, more: false });
  }

  private pauseEnded(collection: string): void {
    const { more } = this.pauses.get(collection)!;
    this.pauses.delete(collection);
    if (more) this.send(collection);
  }

  private channelOf(collection: string): string {
    return `${this.prefix}${collection}:${this.replica}`;
  }
}
