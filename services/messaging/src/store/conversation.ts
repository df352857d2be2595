import { isId } from '@pulso/platform/ids/uuid-v7';

/** The id of the conversation of two users (MSG-1). Ids are ASCII, so JavaScript's order is the bytewise one. */
export function conversationIdOf(userId: string, otherId: string): string {
  return userId < otherId ? `${userId}_${otherId}` : `${otherId}_${userId}`;
}

/** The other participant; undefined if the id is malformed or the user takes no part. */
export function otherUserOf(conversationId: string, userId: string): string | undefined {
  const ids = conversationId.split('_');
  const other = ids.find((id) => id !== userId);
  if (ids.length !== 2 || other === undefined || !ids.every(isId)) return undefined;
  return conversationIdOf(userId, other) === conversationId ? other : undefined;
}
