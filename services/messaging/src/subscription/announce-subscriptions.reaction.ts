import { Injectable } from '@nestjs/common';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import type { Reaction } from '@pulso/platform/events/projection';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { SubscriptionMails } from '../mail/subscription-mails.js';
import { MessageWriter } from '../message/message-writer.js';
import {
  type AnnouncedSubscriptionDocument,
  AnnouncedSubscriptions,
} from '../store/announced-subscription.schema.js';
import { dueTime, type NoteSchedule, released, withNotes } from '../store/daily-notes.js';
import { continueStory } from '../store/subscription-story.js';
import { textOf } from './note-text.js';

const READ_AT_ONCE = 100;
/** Notes that were not written because of a kill or a failure are written this much later. */
const RETRY_MS = 5 * 60_000;

/**
 * Writes system messages about subscriptions into the conversation of the two, as the subscriber's acts (MSG-10), and the
 * mails about a new one (MAIL-2). Each kind at most once in 24 hours (MSG-18).
 *
 * After a crash a newer state may be delivered than before it, so the notes cannot be derived again from the state alone. That
 * is why the notes of a step are stored with it, as owed, and written after that; each has its own key.
 */
@Injectable()
export class AnnounceSubscriptions implements Reaction<SubscriptionState> {
  readonly name = 'subscription-messages';
  readonly topic = subscriptionTopic;

  constructor(
    private readonly announced: AnnouncedSubscriptions,
    private readonly writer: MessageWriter,
    private readonly mails: SubscriptionMails,
    private readonly clock: Clock,
  ) {}

  /** Throws for malformed user ids. */
  async handle(state: SubscriptionState): Promise<void> {
    for (const id of [state.userId, state.coachId]) if (!isId(id)) throw new Error(`not a user id: ${id}`);
    const key = subscriptionTopic.keyOf(state);
    for (;;) {
      const before = await this.announced.findOne({ _id: key });
      const isNewer = !before || state.version > before.version;
      const after = isNewer ? await this.step(key, before, state) : before;
      if (!after) continue;
      if (after.owed.length > 0) await this.writeOwed(after);
      return;
    }
  }

  /** Writes the notes that have waited for their 24 hours. */
  async announceLate(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const due = { dueAt: { $lte: new Date(this.clock.now()) } };
      const rows = await this.announced.find(due, { sort: { dueAt: 1 }, limit: READ_AT_ONCE });
      for (const row of rows) await this.release(row);
      if (rows.length < READ_AT_ONCE) return;
    }
  }

  /** Null if another delivery has written the row meanwhile. */
  private async step(
    key: string,
    before: AnnouncedSubscriptionDocument | null,
    state: SubscriptionState,
  ): Promise<AnnouncedSubscriptionDocument | null> {
    const { story, notes, at } = continueStory(before, state);
    const schedule = withNotes(scheduleOf(before), notes, at);
    const dueAt = dueTime(schedule);
    const after = { _id: key, ...story, ...schedule, ...(dueAt && { dueAt }) };
    if (!before) return (await this.announced.insertIfNew({ ...after })) ? after : null;
    return (await this.replace(before, { ...story, ...schedule, dueAt })) ? after : null;
  }

  private async release(row: AnnouncedSubscriptionDocument): Promise<void> {
    const now = this.clock.now();
    const schedule = released(scheduleOf(row), new Date(now));
    // Due again later, in case this process ends before it has written them.
    const dueAt = new Date(now + RETRY_MS);
    if (await this.replace(row, { ...schedule, dueAt })) await this.writeOwed({ ...row, ...schedule, dueAt });
  }

  private async writeOwed(row: AnnouncedSubscriptionDocument): Promise<void> {
    const [senderId, receiverId] = subscriptionTopic.partsOf(row._id);
    for (const { key: onceKey, ...event } of row.owed) {
      await this.writer.system({ senderId, receiverId, content: textOf(event), event, onceKey });
      if (event.kind === 'started')
        await this.mails.write({ userId: senderId, coachId: receiverId, at: event.at });
    }
    // A newer step has taken these notes over, and finds them written.
    await this.replace(row, { owed: [], dueAt: dueTime(scheduleOf(row)) });
  }

  /** Returns false if the row has changed since it was read. */
  private async replace(
    { _id, version, dueAt: seen }: AnnouncedSubscriptionDocument,
    { dueAt, ...fields }: Partial<AnnouncedSubscriptionDocument>,
  ): Promise<boolean> {
    const { matchedCount } = await this.announced.raw.updateOne(
      { _id, version, ...(seen ? { dueAt: seen } : { dueAt: { $exists: false } }) },
      dueAt ? { $set: { ...fields, dueAt } } : { $set: fields, $unset: { dueAt: '' } },
    );
    return matchedCount > 0;
  }
}

function scheduleOf(row: AnnouncedSubscriptionDocument | null): NoteSchedule {
  return { toldAt: row?.toldAt ?? {}, owed: row?.owed ?? [], waiting: row?.waiting ?? [] };
}
