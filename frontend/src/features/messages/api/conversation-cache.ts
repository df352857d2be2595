import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { withItems } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Conversation, ConversationPage, Message } from '../../../api/types.js';
import { isUnread } from '../conversation.js';

type Pages = InfiniteData<ConversationPage, string | undefined>;

const KEY = queryKeys.conversations.list;

const listed = (pages: Pages | undefined, id: string): Conversation | undefined =>
  pages?.pages.flatMap(({ items }) => items).find((one) => one.id === id);

/** Changes the list; what is being read meanwhile is read again, since it may be older. */
function changeList(queryClient: QueryClient, change: (pages: Pages) => Pages): void {
  queryClient.setQueryData<Pages>(KEY, (pages) => pages && change(pages));
  if (queryClient.isFetching({ queryKey: KEY }) > 0) reloadConversations(queryClient);
}

export const reloadConversations = (queryClient: QueryClient): void =>
  void queryClient.invalidateQueries({ queryKey: KEY });

/** The list with a conversation in the first place. */
function withFirst(pages: Pages, conversation: Conversation): Pages {
  const others = withItems(pages, (items) => items.filter(({ id }) => id !== conversation.id));
  const [first, ...rest] = others.pages;
  if (!first) return pages;
  return { ...pages, pages: [{ ...first, items: [conversation, ...first.items] }, ...rest] };
}

/** A conversation that the viewer started is the latest one. */
export const showConversation = (queryClient: QueryClient, conversation: Conversation): void =>
  changeList(queryClient, (pages) => withFirst(pages, conversation));

/**
 * Shows a message that was sent or that arrived as the last one of its conversation (MSG-5). A conversation that is not in
 * the list is read with the list.
 */
export function showLastMessage(queryClient: QueryClient, message: Message, viewerId: string): void {
  const pages = queryClient.getQueryData<Pages>(KEY);
  if (!pages) return;
  const conversation = listed(pages, message.conversationId);
  if (!conversation) return reloadConversations(queryClient);
  const { lastMessage, unreadCount } = conversation;
  // Told twice, or late.
  if (lastMessage && Date.parse(lastMessage.createdAt) >= Date.parse(message.createdAt)) return;
  const { senderId, receiverId, content, type, createdAt } = message;
  const next: Conversation = {
    ...conversation,
    lastMessage: { senderId, receiverId, content, type, createdAt },
    lastActivity: createdAt,
    unreadCount: unreadCount + (isUnread(message, viewerId) ? 1 : 0),
  };
  changeList(queryClient, (shown) => withFirst(shown, next));
}

const unreadOf = (queryClient: QueryClient, conversationId: string): number =>
  listed(queryClient.getQueryData<Pages>(KEY), conversationId)?.unreadCount ?? 0;

/** Takes away the badge of a conversation before the server knows (MSG-6). @returns its number */
export function showAsRead(queryClient: QueryClient, conversationId: string): number {
  const unread = unreadOf(queryClient, conversationId);
  if (unread === 0) return 0;
  const asRead = (one: Conversation) => (one.id === conversationId ? { ...one, unreadCount: 0 } : one);
  changeList(queryClient, (pages) => withItems(pages, (items) => items.map(asRead)));
  return unread;
}

/** Reads the list again once the server has marked a conversation as read: a list that was requested before is outdated. */
export function recount(queryClient: QueryClient, conversationId: string): void {
  const fetching = queryClient.isFetching({ queryKey: KEY }) > 0;
  if (fetching || unreadOf(queryClient, conversationId) > 0) reloadConversations(queryClient);
}
