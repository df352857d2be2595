import { Injectable } from '@nestjs/common';
import { growingCache } from '@pulso/platform/collections/growing-cache';
import { StoreClock } from '@pulso/platform/mongo/store-clock';
import { MessageRepository } from './message.repository.js';
import type { MessageDocument } from './message.schema.js';

/**
 * A message's time is later than the store's by no more than this: after a clock that was ahead has been set back, messages soon
 * have the right time again.
 */
const MAX_AHEAD_MS = 10_000;
/** Some 200 bytes each. */
const REMEMBERED_CONVERSATIONS = 20_000;

/** A message's number and time in its conversation. */
export interface Place {
  /** 1, 2, … in the order of the conversation. */
  readonly seq: number;
  /** Ascends with `seq`, unless the store's clock has gone back by seconds: pages that know no numbers order by it. */
  readonly createdAt: Date;
}

/**
 * Inserts each message at the place after the last one of its conversation. No two have the same number, which the unique index
 * refuses: a process that remembers an older last message reads again. So a message gets a greater number and a later time than
 * all that were acknowledged before it, whatever the replicas' clocks say (MSG-7).
 */
@Injectable()
export class MessagePlaces {
  private readonly last = growingCache<string, Place>(REMEMBERED_CONVERSATIONS);
  /** By conversation, the latest insert under way: those of one process wait for each other, instead of trying one place. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  constructor(
    private readonly messages: MessageRepository,
    private readonly storeClock: StoreClock,
  ) {}

  /**
   * Inserts the message that `at` makes for its place; it may be asked again, for another place. It is not later than `dated`, unless the
   * message before it is. Rejects with a duplicate key
   * error if another unique key is taken.
   */
  insert(
    conversationId: string,
    at: (place: Place) => MessageDocument,
    dated = Infinity,
  ): Promise<MessageDocument> {
    const before = this.underWay.get(conversationId) ?? Promise.resolve();
    const insert = () => this.insertNext(conversationId, at, dated);
    const inserted = before.then(insert, insert);
    this.underWay.set(conversationId, inserted);
    const end = () => {
      if (this.underWay.get(conversationId) === inserted) this.underWay.delete(conversationId);
    };
    inserted.then(end, end);
    return inserted;
  }

  private async insertNext(
    conversationId: string,
    at: (place: Place) => MessageDocument,
    dated: number,
  ): Promise<MessageDocument> {
    for (;;) {
      const last = this.last.get(conversationId) ?? (await this.messages.lastPlace(conversationId));
      const place = placeAfter(last, Math.floor(await this.storeClock.now()), dated);
      const message = at(place);
      // Whether it was stored is not known until the insert has succeeded.
      this.last.delete(conversationId);
      // Each time that the place is taken, another message was stored.
      if (!(await this.messages.insertAtPlace(message))) continue;
      this.last.set(conversationId, place);
      return message;
    }
  }
}

/** At `now`, or when it is dated before; at least a millisecond after the last message, unless that is too far ahead. */
function placeAfter(last: Place | undefined, now: number, dated: number): Place {
  const wanted = Math.min(now, dated);
  if (!last) return { seq: 1, createdAt: new Date(wanted) };
  const next = Math.min(last.createdAt.getTime() + 1, now + MAX_AHEAD_MS);
  return { seq: last.seq + 1, createdAt: new Date(Math.max(wanted, next)) };
}
