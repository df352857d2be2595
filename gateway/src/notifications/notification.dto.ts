import { z } from 'zod';
import { givenId } from '../validation/fields.js';
import { answer, body } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { count, exampleRef, id, time, userRefSchema } from '../user-ref/user-ref.dto.js';
import { NOTIFICATION_TYPE_NAMES, TYPES_WITHOUT_POST } from './notification-types.js';

export class ReadNotificationsBody extends body(
  'ReadNotifications',
  z
    .strictObject({
      upTo: givenId.optional().meta({ description: 'The id of a notification; everything unless given' }),
    })
    .default({}),
  { upTo: EXAMPLE.notificationId },
) {}

/** `en-GB` has no comma before its `and`. */
const listed = new Intl.ListFormat('en-GB');

const exampleNotification = {
  id: EXAMPLE.notificationId,
  type: 'post_like' as const,
  actor: exampleRef,
  postId: EXAMPLE.postId,
  commentId: null,
  read: false,
  createdAt: EXAMPLE.time,
};

export const notificationSchema = answer(
  'Notification',
  z.object({
    id,
    type: z.enum(NOTIFICATION_TYPE_NAMES),
    actor: userRefSchema,
    postId: id.nullable().meta({ description: `null for ${listed.format(TYPES_WITHOUT_POST)}` }),
    commentId: id.nullable(),
    read: z.boolean(),
    createdAt: time,
  }),
  exampleNotification,
);

export const notificationPageSchema = answer(
  'NotificationPage',
  z.object({ items: z.array(notificationSchema), nextCursor: z.string().nullable() }),
  { items: [exampleNotification], nextCursor: null },
);

export const badgesSchema = answer(
  'Badges',
  z.object({
    notifications: count.meta({ description: 'Unread notifications' }),
    messages: count.meta({ description: 'Unread messages: the sum of unreadCount over the conversations' }),
  }),
  { notifications: 2, messages: 1 },
);

export type Notification = z.output<typeof notificationSchema>;
export type NotificationPage = z.output<typeof notificationPageSchema>;
