import {
  type Notification as NotificationMessage,
  type NotificationPage as NotificationPageMessage,
  NotificationType,
} from '@pulso/contracts/messaging/v1/messaging';
import { apiTime } from '../http/bodies/api-time.js';
import { apiCursor } from '../http/bodies/list-query.js';
import { required, toUserRef } from '../user-ref/to-user-ref.js';
import type { Notification, NotificationPage } from './notification.dto.js';

/** The types that this build knows: each has a name, so that a new one does not compile without. */
type KnownType = Exclude<
  NotificationType,
  NotificationType.NOTIFICATION_TYPE_UNSPECIFIED | NotificationType.UNRECOGNIZED
>;

const TYPES: Readonly<Record<KnownType, Notification['type']>> = {
  [NotificationType.NOTIFICATION_TYPE_POST_LIKE]: 'post_like',
  [NotificationType.NOTIFICATION_TYPE_COMMENT]: 'comment',
  [NotificationType.NOTIFICATION_TYPE_COMMENT_LIKE]: 'comment_like',
  [NotificationType.NOTIFICATION_TYPE_MENTION]: 'mention',
  [NotificationType.NOTIFICATION_TYPE_FOLLOW]: 'follow',
  [NotificationType.NOTIFICATION_TYPE_SUBSCRIPTION]: 'subscription',
  [NotificationType.NOTIFICATION_TYPE_REVIEW]: 'review',
};

const isKnown = (type: NotificationType): type is KnownType => Object.hasOwn(TYPES, type);

const idOrNull = (id: string) => (id === '' ? null : id);

/** Without those of a type that a newer build has added: clients could not show them. */
export function toNotifications(items: readonly NotificationMessage[]): Notification[] {
  return items.flatMap((notification): Notification[] => {
    if (!isKnown(notification.type)) return [];
    const type = TYPES[notification.type];
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
