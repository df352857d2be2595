import { Injectable } from '@nestjs/common';
import type { Message, SendMessageRequest } from '@pulso/contracts/messaging/v1/messaging';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blocked } from '@pulso/platform/errors/user-errors';
import { IdempotentInserts } from '@pulso/platform/mongo/idempotent-insert';
import { cannotMessageSelf } from '../conversation/conversation-errors.js';
import { KnownBlocks } from '../projections/known-blocks.js';
import { KnownUsers } from '../projections/known-users.js';
import { MessageCollection } from '../store/message.schema.js';
import { MessageWriter } from './message-writer.js';
import { readMessage, viewMessage } from './message.js';
import { storedMessage } from './stored-message.js';

/**
 * `POST /api/messages` (MSG-4, MSG-5). Throws `validation-failed`, then `not-found`, then `blocked` when either has blocked
 * the other, then `cannot-message-self`.
 */
@Injectable()
export class SendMessage {
  constructor(
    private readonly rows: MessageCollection,
    private readonly users: KnownUsers,
    private readonly blocks: KnownBlocks,
    private readonly writer: MessageWriter,
    private readonly inserts: IdempotentInserts,
  ) {}

  execute({ receiverId, content: input, idempotency }: SendMessageRequest): Promise<Message> {
    const { userId } = requireCaller();
    const content = readMessage(input);
    const codec = storedMessage(content);
    const options = { request: idempotency, callerId: userId, codec, rows: this.rows };
    return this.inserts.once(options, async (stamp) => {
      await this.users.requireCallerAnd(userId, receiverId);
      if (receiverId === userId) throw cannotMessageSelf();
      if (await this.blocks.between(userId, receiverId)) throw blocked();
      const draft = { senderId: userId, receiverId, content };
      return viewMessage(await this.writer.user(draft, (message) => stamp(viewMessage(message))));
    });
  }
}
