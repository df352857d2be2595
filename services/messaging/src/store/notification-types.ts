import { NotificationType } from '@pulso/contracts/messaging/v1/messaging';

type NameOf<Type extends string> = Type extends `NOTIFICATION_TYPE_${infer Name}` ? Lowercase<Name> : never;

/** A type as notifications are stored with it: NOTIFICATION_TYPE_POST_LIKE of the contract is `post_like`. */
export type NotificationKind = Exclude<NameOf<keyof typeof NotificationType>, 'unspecified'>;

/** All types. One that the contract has and this table has not does not compile. */
export const NOTIFICATION_TYPES: Readonly<Record<NotificationKind, NotificationType>> = {
  post_like: NotificationType.NOTIFICATION_TYPE_POST_LIKE,
  comment: NotificationType.NOTIFICATION_TYPE_COMMENT,
  comment_like: NotificationType.NOTIFICATION_TYPE_COMMENT_LIKE,
  mention: NotificationType.NOTIFICATION_TYPE_MENTION,
  follow: NotificationType.NOTIFICATION_TYPE_FOLLOW,
  subscription: NotificationType.NOTIFICATION_TYPE_SUBSCRIPTION,
  review: NotificationType.NOTIFICATION_TYPE_REVIEW,
};
