import { Injectable } from '@nestjs/common';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import type { Reaction } from '@pulso/platform/events/projection';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { MessageWriter } from '../conversing/message-writer.js';
import { SubscriptionMails } from '../mail/subscription-mails.js';
import { continueStory, textOf } from './subscription-story.js';
import { type ToldSubscriptionDocument, ToldSubscriptions } from './told-subscription.schema.js';

/**
 * Writes system messages about subscriptions into the conversation of the two, as the subscriber's acts (MSG-10), and the
 * mails about a new one (MAIL-2).
 *
 * A redelivered state may be a newer one than before the crash, so what to tell cannot be derived again from the state
 * alone. That is why the notes of a step are stored with it, as owed, and written after that; each has a key of its own.
 */
@Injectable()
export class TellOfSubscriptions implements Reaction<SubscriptionState> {
  readonly name = 'subscription-messages';
  readonly topic = subscriptionTopic;

  constructor(
    private readonly told: ToldSubscriptions,
    private readonly writer: MessageWriter,
    private readonly mails: SubscriptionMails,
  ) {}

  /** Throws for malformed user ids. */
  async handle(state: SubscriptionState): Promise<void> {
    for (const id of [state.userId, state.coachId]) if (!isId(id)) throw new Error(`not a user id: ${id}`);
    const key = subscriptionTopic.keyOf(state);
    for (;;) {
      const before = await this.told.findOne({ _id: key });
      const isNewer = !before || state.version > before.version;
      const after = isNewer ? await this.step(key, before, state) : before;
      if (!after) continue;
      await this.pay(after, state);
      return;
    }
  }

  /** Null if another delivery has written the row meanwhile. */
  private async step(
    key: string,
    before: ToldSubscriptionDocument | null,
    state: SubscriptionState,
  ): Promise<ToldSubscriptionDocument | null> {
    const { story, notes } = continueStory(before, state);
    const fields = { ...story, owed: [...(before?.owed ?? []), ...notes] };
    const after = { _id: key, ...fields };
    if (before) {
      const { version } = before;
      const { matchedCount } = await this.told.raw.updateOne({ _id: key, version }, { $set: fields });
      return matchedCount > 0 ? after : null;
    }
    return (await this.told.insertIfNew({ ...after })) ? after : null;
  }

  private async pay(
    { _id, version, owed }: ToldSubscriptionDocument,
    { userId: senderId, coachId: receiverId }: SubscriptionState,
  ): Promise<void> {
    if (owed.length === 0) return;
    for (const { key: onceKey, ...event } of owed) {
      await this.writer.system({ senderId, receiverId, content: textOf(event), event, onceKey });
      if (event.kind === 'started')
        await this.mails.write({ userId: senderId, coachId: receiverId, at: event.at });
    }
    // A newer step has taken these notes over, and finds them written.
    await this.told.raw.updateOne({ _id, version }, { $set: { owed: [] } });
  }
}
