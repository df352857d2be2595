import { NotificationType } from '@pulso/contracts/messaging/v1/messaging';

/** The types that this build knows: each has a name, so that a new one does not compile without. */
type KnownType = Exclude<
  NotificationType,
  NotificationType.NOTIFICATION_TYPE_UNSPECIFIED | NotificationType.UNRECOGNIZED
>;

/** Every type of the contract and its name in the API. */
const NAMES = {
  [NotificationType.NOTIFICATION_TYPE_POST_LIKE]: 'post_like',
  [NotificationType.NOTIFICATION_TYPE_COMMENT]: 'comment',
  [NotificationType.NOTIFICATION_TYPE_COMMENT_LIKE]: 'comment_like',
  [NotificationType.NOTIFICATION_TYPE_MENTION]: 'mention',
  [NotificationType.NOTIFICATION_TYPE_FOLLOW]: 'follow',
  [NotificationType.NOTIFICATION_TYPE_SUBSCRIPTION]: 'subscription',
  [NotificationType.NOTIFICATION_TYPE_REVIEW]: 'review',
} as const satisfies Readonly<Record<KnownType, string>>;

export type NotificationTypeName = (typeof NAMES)[KnownType];

/** The names in the order of the contract's numbers. */
export const NOTIFICATION_TYPE_NAMES: readonly NotificationTypeName[] = Object.values(NAMES);

/** Undefined for a type that a newer build of messaging has added. */
export function typeName(type: NotificationType): NotificationTypeName | undefined {
  return Object.hasOwn(NAMES, type) ? NAMES[type as KnownType] : undefined;
}
