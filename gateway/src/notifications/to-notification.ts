import type {
  Notification as NotificationMessage,
  NotificationPage as NotificationPageMessage,
} from '@pulso/contracts/messaging/v1/messaging';
import { apiTime } from '../http/bodies/api-time.js';
import { apiCursor } from '../http/bodies/list-query.js';
import { required, toUserRef } from '../user-ref/to-user-ref.js';
import type { Notification, NotificationPage } from './notification.dto.js';
import { typeName } from './notification-types.js';

const idOrNull = (id: string) => (id === '' ? null : id);

/** Without those of a type that a newer build has added: clients could not show them. */
export function toNotifications(items: readonly NotificationMessage[]): Notification[] {
  return items.flatMap((notification): Notification[] => {
    const type = typeName(notification.type);
    if (type === undefined) return [];
    const { id, actor, postId, commentId, read, createdAt } = notification;
    return [
      {
        id,
        type,
        actor: toUserRef(required(actor, 'actor')),
        postId: idOrNull(postId),
        commentId: idOrNull(commentId),
        read,
        createdAt: apiTime(createdAt),
      },
    ];
  });
}

export function toNotificationPage({ items, nextCursor }: NotificationPageMessage): NotificationPage {
  return { items: toNotifications(items), nextCursor: apiCursor(nextCursor) };
}
