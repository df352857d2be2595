import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { Conversation, Me } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { Badge } from '../../../components/badge.js';
import { CompactTime } from '../../../components/compact-time.js';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { RowSkeletons } from '../../../components/row-skeletons.js';
import { LoadError } from '../../../components/states.js';
import { UnreadBadge } from '../../../components/unread-badge.js';
import type { useConversations } from '../api/get-conversations.js';
import { CHOSEN, pathWith, previewOf } from '../conversation.js';
import { useMessageDraft } from '../outbox.js';
import { useMessagingTexts } from '../texts.js';
import classes from './conversation-list.module.css';

interface ConversationListProps {
  query: ReturnType<typeof useConversations>;
  viewer: Me;
  /** The user with whom the open conversation is. */
  openWith: string | undefined;
  /** The one whose conversation was left: its entry gets the focus. */
  cameFrom?: string;
}

/** The viewer's conversations (MSG-13). */
export function ConversationList({ query, viewer, openWith, cameFrom }: ConversationListProps) {
  const { messaging } = useMessagingTexts();
  const { conversations } = query;
  const list = useRef<HTMLUListElement>(null);
  const shown = conversations !== undefined;
  useEffect(() => {
    if (cameFrom === undefined || !shown) return;
    list.current?.querySelector<HTMLElement>(`[data-with="${cameFrom}"]`)?.focus();
  }, [cameFrom, shown]);

  if (!conversations) {
    return query.isError ? (
      <div className={classes.failed}>
        <LoadError error={query.error} fallback={messaging.loadFailed} onRetry={() => void query.refetch()} />
      </div>
    ) : (
      <RowSkeletons count={5} className={classes.skeletons} />
    );
  }
  if (conversations.length === 0 && !query.hasNextPage) {
    return (
      <div className={classes.empty}>
        <p className={classes.emptyTitle}>{messaging.empty}</p>
        <p>{messaging.emptyText}</p>
        <Button component={Link} to="/coaches" variant="default" className={classes.browse}>
          {messaging.browseCoaches}
        </Button>
      </div>
    );
  }
  return (
    <>
      <ul ref={list} className={classes.list} aria-label={messaging.list}>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <ConversationItem
              conversation={conversation}
              viewer={viewer}
              open={conversation.otherUser.id === openWith}
            />
          </li>
        ))}
      </ul>
      <InfiniteSentinel list={query} />
    </>
  );
}

interface ConversationItemProps {
  conversation: Conversation;
  viewer: Me;
  open: boolean;
}

function ConversationItem({ conversation, viewer, open }: ConversationItemProps) {
  const { account, messaging } = useMessagingTexts();
  const { otherUser, lastMessage, lastActivity, unreadCount } = conversation;
  const draft = useMessageDraft(viewer.id, otherUser.id);
  const preview =
    lastMessage === null
      ? messaging.startedPreview
      : lastMessage.type === 'system'
        ? messaging.systemPreview
        : previewOf(lastMessage.content);
  // What is open is read as it arrives.
  const unread = open ? 0 : unreadCount;
  return (
    <Link
      to={pathWith(otherUser.id)}
      state={FROM_LIST}
      className={classes.item}
      aria-current={open ? 'page' : undefined}
      data-with={otherUser.id}
      data-unread={unread > 0 || undefined}
    >
      <Avatar user={otherUser} size={48} />
      <span className={classes.top}>
        <span className={`one-line ${classes.name}`} dir="auto">
          {otherUser.name}
        </span>
        {otherUser.isCoach && <Badge>{account.coach}</Badge>}
        <CompactTime time={lastActivity} className={classes.time} />
      </span>
      <span className={classes.bottom}>
        <span className={`one-line ${classes.preview}`} dir="auto">
          {draft && !open ? (
            <>
              <span className={classes.draft}>{messaging.draftPreview}</span> {previewOf(draft)}
            </>
          ) : (
            preview
          )}
        </span>
        <UnreadBadge count={unread} />
      </span>
    </Link>
  );
}

/** The state of a history entry that the list led to: Back leads to the list. */
export const FROM_LIST = { ...CHOSEN, fromList: true } as const;
