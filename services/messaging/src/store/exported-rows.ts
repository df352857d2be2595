import { Injectable } from '@nestjs/common';
import type { ExportedSection } from '@pulso/platform/export/export-page';
import type { UserExport } from '@pulso/platform/export/user-export';
import { exportedDocuments } from '@pulso/platform/mongo/exported-documents';
import { ConversationCollection, type ConversationDocument } from './conversation.schema.js';
import { MailCollection, type MailDocument } from './mail.schema.js';
import { MessageCollection, type MessageDocument } from './message.schema.js';
import { NotificationRepository } from './notification.repository.js';
import type { NotificationDocument } from './notification.schema.js';

/** What messaging holds of a user (ACCT-35): both sides' messages, as the conversation shows them to both. */
@Injectable()
export class ExportedRows implements UserExport {
  readonly sections: readonly ExportedSection[];

  constructor(
    conversations: ConversationCollection,
    messages: MessageCollection,
    notifications: NotificationRepository,
    mails: MailCollection,
  ) {
    this.sections = [
      exportedDocuments<ConversationDocument>({
        name: 'conversations',
        rows: conversations,
        of: (seenBy) => ({ seenBy }),
        show: ({ _id, lastActivity }) => ({ id: _id, lastActivity }),
      }),
      exportedDocuments<MessageDocument>({
        name: 'sentMessages',
        rows: messages,
        of: (senderId) => ({ senderId }),
        show: toMessage,
      }),
      exportedDocuments<MessageDocument>({
        name: 'receivedMessages',
        rows: messages,
        of: (receiverId) => ({ receiverId }),
        show: toMessage,
      }),
      notificationsIn(notifications),
      exportedDocuments<MailDocument>({
        name: 'mails',
        rows: mails,
        of: (userId) => ({ userId }),
        // Without the facts: some are sealed for the worker alone.
        show: ({ kind, state, createdAt, endedAt }) => ({ kind, state, createdAt, endedAt }),
      }),
    ];
  }
}

const toMessage = ({ _id, conversationId, senderId, receiverId, ...message }: MessageDocument) => ({
  ...{ id: _id, conversationId, senderId, receiverId },
  ...{ type: message.type, content: message.content, event: message.event, createdAt: message.createdAt },
});

/** In the order of the list, newest first, of which there is an index. A key is the place in it: time and id. */
const notificationsIn = (notifications: NotificationRepository): ExportedSection => ({
  name: 'notifications',
  async list(userId, after, limit) {
    const [createdAt, id] = after?.split(' ') ?? [];
    const place =
      createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
    const found = await notifications.list(userId, { after: place, limit });
    return found.map((row) => ({
      key: `${row.createdAt.getTime()} ${row._id}`,
      json: JSON.stringify(toNotification(row)),
    }));
  },
});

const toNotification = ({
  type,
  actorId,
  targetId,
  postId,
  commentId,
  read,
  createdAt,
}: NotificationDocument) => ({
  ...{ type, actorId, targetId, postId, commentId, read, createdAt },
});
