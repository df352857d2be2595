import { Injectable } from '@nestjs/common';
import type { ExportedSection } from '@pulso/platform/export/export-page';
import type { UserExport } from '@pulso/platform/export/user-export';
import { exportedDocuments } from '@pulso/platform/mongo/exported-documents';
import { otherUserOf } from './conversation.js';
import { ConversationCollection, type ConversationDocument } from './conversation.schema.js';
import { ListedPeople } from './listed-people.js';
import { MailCollection, type MailDocument } from './mail.schema.js';
import { MessageCollection, type MessageDocument } from './message.schema.js';
import { NotificationRepository } from './notification.repository.js';
import type { NotificationDocument } from './notification.schema.js';

/**
 * What messaging holds of a user (ACCT-35): both sides' messages, as the conversation shows them to both. Without people whom their lists leave
 * out: whoever compares the two would learn who has blocked them.
 */
@Injectable()
export class ExportedRows implements UserExport {
  readonly sections: readonly ExportedSection[];

  constructor(
    conversations: ConversationCollection,
    messages: MessageCollection,
    notifications: NotificationRepository,
    mails: MailCollection,
    people: ListedPeople,
  ) {
    this.sections = [
      exportedDocuments<ConversationDocument>({
        name: 'conversations',
        rows: conversations,
        of: (seenBy) => ({ seenBy }),
        shownOf: withSeen(people, ({ _id }, userId) => otherUserOf(_id, userId)!),
        show: ({ _id, lastActivity }) => ({ id: _id, lastActivity }),
      }),
      exportedDocuments<MessageDocument>({
        name: 'sentMessages',
        rows: messages,
        of: (senderId) => ({ senderId }),
        shownOf: withSeen(people, ({ receiverId }) => receiverId),
        show: toMessage,
      }),
      exportedDocuments<MessageDocument>({
        name: 'receivedMessages',
        rows: messages,
        of: (receiverId) => ({ receiverId }),
        shownOf: withSeen(people, ({ senderId }) => senderId),
        show: toMessage,
      }),
      notificationsIn(notifications, people),
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

/** The rows with those whom the user sees. */
const withSeen =
  <Row>(people: ListedPeople, otherOf: (row: Row, userId: string) => string) =>
  async (userId: string, rows: readonly Row[]): Promise<(row: Row) => boolean> => {
    const seen = await people.among(
      userId,
      rows.map((row) => otherOf(row, userId)),
    );
    return (row) => seen.has(otherOf(row, userId));
  };

const toMessage = ({ _id, conversationId, senderId, receiverId, ...message }: MessageDocument) => ({
  ...{ id: _id, conversationId, senderId, receiverId },
  ...{ type: message.type, content: message.content, event: message.event, createdAt: message.createdAt },
});

/** In the order of the list, newest first, of which there is an index. A key is the place in it: time and id. */
const notificationsIn = (notifications: NotificationRepository, people: ListedPeople): ExportedSection => ({
  name: 'notifications',
  async list(userId, after, limit) {
    const [createdAt, id] = after?.split(' ') ?? [];
    const place =
      createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
    const found = await notifications.list(userId, { after: place, limit });
    const isShown = await withSeen<NotificationDocument>(people, ({ actorId }) => actorId)(userId, found);
    return found.map((row) => ({
      key: `${row.createdAt.getTime()} ${row._id}`,
      json: isShown(row) ? JSON.stringify(toNotification(row)) : undefined,
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
