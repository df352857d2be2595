import { NotificationType } from '@pulso/contracts/messaging/v1/messaging';

/** The types that this build knows: each has a name, so that a new one does not compile without. */
type KnownType = Exclude<
  NotificationType,
  NotificationType.NOTIFICATION_TYPE_UNSPECIFIED | NotificationType.UNRECOGNIZED
>;

interface TypeInApi {
  name: string;
  /** Whether it is about a post: else its `postId` is null. */
  aboutPost: boolean;
}

/** Every type of the contract, as the API has it. */
const TYPES = {
  [NotificationType.NOTIFICATION_TYPE_POST_LIKE]: { name: 'post_like', aboutPost: true },
  [NotificationType.NOTIFICATION_TYPE_COMMENT]: { name: 'comment', aboutPost: true },
  [NotificationType.NOTIFICATION_TYPE_COMMENT_LIKE]: { name: 'comment_like', aboutPost: true },
  [NotificationType.NOTIFICATION_TYPE_MENTION]: { name: 'mention', aboutPost: true },
  [NotificationType.NOTIFICATION_TYPE_FOLLOW]: { name: 'follow', aboutPost: false },
  [NotificationType.NOTIFICATION_TYPE_SUBSCRIPTION]: { name: 'subscription', aboutPost: false },
  [NotificationType.NOTIFICATION_TYPE_REVIEW]: { name: 'review', aboutPost: false },
} as const satisfies Readonly<Record<KnownType, TypeInApi>>;

export type NotificationTypeName = (typeof TYPES)[KnownType]['name'];

/** The names in the order of the contract's numbers. */
export const NOTIFICATION_TYPE_NAMES: readonly NotificationTypeName[] = Object.values(TYPES).map(
  ({ name }) => name,
);

/** The names of those that are about no post. */
export const TYPES_WITHOUT_POST: readonly NotificationTypeName[] = Object.values(TYPES)
  .filter(({ aboutPost }) => !aboutPost)
  .map(({ name }) => name);

/** Undefined for a type that a newer build of messaging has added. */
export function typeName(type: NotificationType): NotificationTypeName | undefined {
  return Object.hasOwn(TYPES, type) ? TYPES[type as KnownType].name : undefined;
}
