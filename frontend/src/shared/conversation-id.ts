/** The id of the conversation of two users: their ids in bytewise order (MSG-1). */
export const conversationIdOf = (one: string, other: string): string =>
  one < other ? `${one}_${other}` : `${other}_${one}`;

/** How many messages are loaded at once. */
export const THREAD_PAGE = 50;
