import { Injectable } from '@nestjs/common';
import { Clock } from '@pulso/platform/time/clock';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { IdempotencyFields } from '@pulso/platform/mongo/idempotent-insert';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { OpenPages } from '../projections/open-pages.js';
import { conversationIdOf } from '../store/conversation.js';
import { ConversationRepository } from '../store/conversation.repository.js';
import { MessagePlaces, type Place } from '../store/message-places.js';
import { MessageRepository } from '../store/message.repository.js';
import type { MessageDocument } from '../store/message.schema.js';

export type MessageDraft = Pick<MessageDocument, 'senderId' | 'receiverId' | 'content'>;

/** A system message; `onceKey` names its cause. */
export type SystemMessageDraft = MessageDraft & Required<Pick<MessageDocument, 'event' | 'onceKey'>>;

type Stamp = (message: MessageDocument) => IdempotencyFields;

interface InsertOptions {
  /** Gives the fields of its idempotency key. */
  stamp?: Stamp;
  /** The latest time that it gets, in milliseconds; see `MessagePlaces.insert`. */
  dated?: number;
}

/** What is told later than this has the time of what it tells: it is no news, and a conversation's end is not the place for it. */
const NEWS_MS = 24 * 60 * 60_000;

/**
 * Writes messages, each in two steps: it is inserted at its place, which commits it, and is folded into the conversation, which
 * shows it to both (MSG-5). A crash after the first step leaves a message that `FoldMessages` folds.
 */
@Injectable()
export class MessageWriter {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly places: MessagePlaces,
    private readonly pages: OpenPages,
    private readonly clock: Clock,
  ) {}

  /**
   * A message from one user to another; `stamp` gives the fields of its idempotency key. Rejects with a duplicate key error if
   * the key is taken.
   */
  async user(draft: MessageDraft, stamp: Stamp): Promise<MessageDocument> {
    const message = await this.insert({ ...draft, type: 'user', unreadBy: draft.receiverId }, { stamp });
    await this.fold(message);
    return message;
  }

  /** Writes a system message unless it is there already (MSG-10). Nobody has to read it. */
  async system(draft: SystemMessageDraft): Promise<void> {
    try {
      const { at } = draft.event;
      const isOld = at.getTime() < this.clock.now() - NEWS_MS;
      const options = isOld ? { dated: at.getTime() } : {};
      await this.fold(await this.insert({ ...draft, type: 'system' }, options));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Stores a message, which its conversation does not show yet. */
  insert(
    draft: MessageDraft & Partial<MessageDocument> & Pick<MessageDocument, 'type'>,
    { stamp = () => ({}), dated = this.clock.datedBack?.() }: InsertOptions = {},
  ): Promise<MessageDocument> {
    const conversationId = conversationIdOf(draft.senderId, draft.receiverId);
    const at = ({ seq, createdAt }: Place) => {
      const _id = newIdAt(createdAt.getTime());
      const message: MessageDocument = { ...draft, _id, conversationId, seq, createdAt, unfolded: true };
      return { ...message, ...stamp(message) };
    };
    return this.places.insert(conversationId, at, dated);
  }

  /** Shows a committed message in its conversation; may be repeated, in any order of messages. */
  async fold(message: MessageDocument): Promise<void> {
    await this.conversations.fold(message);
    this.messages.folded(message);
    this.pages.signal([message.senderId, message.receiverId]);
  }
}
