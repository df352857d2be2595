import type { Message, MessagePage } from '../../api/types.js';
import { inOrder } from './conversation.js';

/** The messages of a conversation that have been read so far. */
export interface Thread {
  /** Older ones first, each as long as a page; the last one grows by the messages that arrive. */
  chunks: readonly (readonly Message[])[];
  /** Leads to older messages; null when all are there. */
  olderCursor: string | null;
}

export const EMPTY_THREAD: Thread = { chunks: [], olderCursor: null };

const newThread = ({ items, nextCursor }: MessagePage): Thread => ({
  chunks: [items],
  olderCursor: nextCursor,
});

const isKnown = (thread: Thread, id: string): boolean =>
  thread.chunks.some((chunk) => chunk.some((message) => message.id === id));

/** With a message that was sent or that arrived; one that is there already changes nothing. */
export function withMessage(thread: Thread, message: Message): Thread {
  if (isKnown(thread, message.id)) return thread;
  const newest = [...(thread.chunks.at(-1) ?? []), message].sort(inOrder);
  return { ...thread, chunks: [...thread.chunks.slice(0, -1), newest] };
}

/**
 * With the newest page, read again. Where it does not reach the messages that are there, something lies between them: then
 * it takes their place.
 */
export function withNewest(thread: Thread | undefined, page: MessagePage): Thread {
  if (!thread || !page.items.some(({ id }) => isKnown(thread, id))) return newThread(page);
  const read = new Map(page.items.map((message) => [message.id, message]));
  const chunks = thread.chunks.map((chunk) =>
    chunk.some(({ id, read: seen }) => read.has(id) && read.get(id)?.read !== seen)
      ? chunk.map((message) => read.get(message.id) ?? message)
      : chunk,
  );
  return page.items.reduce(withMessage, { ...thread, chunks });
}

/** With the page before the oldest message. */
export function withOlder(thread: Thread, { items, nextCursor }: MessagePage): Thread {
  const added = items.filter(({ id }) => !isKnown(thread, id));
  const chunks = added.length > 0 ? [added, ...thread.chunks] : thread.chunks;
  return { chunks, olderCursor: nextCursor };
}

/** With everything that the viewer received up to `upTo` marked as read. */
export function withRead(thread: Thread, viewerId: string, upTo: Message): Thread {
  const isMarked = (message: Message) =>
    !message.read && message.receiverId === viewerId && inOrder(message, upTo) <= 0;
  const chunks = thread.chunks.map((chunk) =>
    chunk.some(isMarked)
      ? chunk.map((message) => (isMarked(message) ? { ...message, read: true } : message))
      : chunk,
  );
  return { ...thread, chunks };
}
