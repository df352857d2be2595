import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { Notification } from '@pulso/contracts/messaging/v1/messaging';
import { NOTIFICATION_TYPES } from '../store/notification-types.js';
import type { NotificationDocument } from '../store/notification.schema.js';

export function viewNotification(row: NotificationDocument, actor: UserRef): Notification {
  const { _id: id, type, postId = '', commentId = '', read, createdAt } = row;
  return {
    id,
    type: NOTIFICATION_TYPES[type],
    actor,
    postId,
    commentId,
    read,
    createdAt: createdAt.getTime(),
  };
}
