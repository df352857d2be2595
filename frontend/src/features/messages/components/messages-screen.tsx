import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Conversation, Me } from '../../../api/types.js';
import { PHONE } from '../../../components/back-closes.js';
import { Title } from '../../../components/title.js';
import { useMedia } from '../../../components/use-media.js';
import { useVisibleHeight } from '../../../components/use-visible-height.js';
import { useConversations } from '../api/get-conversations.js';
import { usePerson } from '../api/get-person.js';
import { useOutbox } from '../api/send-messages.js';
import { useStartedConversation } from '../api/start-conversation.js';
import { placeholderWith } from '../conversation.js';
import { useMessagingTexts } from '../texts.js';
import type { ThreadActions } from '../thread-actions.js';
import { useLiveMessages } from '../use-live-messages.js';
import { BlockedPane } from './blocked-pane.js';
import type { FROM_LIST } from './conversation-list.js';
import { ConversationList } from './conversation-list.js';
import classes from './messages-screen.module.css';
import { ThreadLoading, ThreadPane } from './thread-pane.js';

interface MessagesScreenProps extends ThreadActions {
  viewer: Me;
  /** The user whose conversation the address asks for. */
  openWith: string | undefined;
}

/** The conversations and the open one; under 768 px one of the two (MSG-12). */
export function MessagesScreen({ viewer, openWith, ...actions }: MessagesScreenProps) {
  const { app, messaging } = useMessagingTexts();
  const navigate = useNavigate();
  const { fromList = false, chosen = false } =
    (useLocation().state as Partial<typeof FROM_LIST> | null) ?? {};
  const phone = useMedia(PHONE);
  const query = useConversations();
  const { conversation, exists, isPlaceholder, isBlocked } = useConversationWith(openWith, viewer, query);
  const outbox = useOutbox(viewer);
  useLiveMessages(viewer.id);
  const screen = useRef<HTMLDivElement>(null);
  useVisibleHeight(screen, phone);

  const [left, setLeft] = useState<string>();
  if (openWith !== undefined && left !== openWith) setLeft(openWith);
  const back = () => void (fromList ? navigate(-1) : navigate('/messages', { replace: true }));
  const showsList = !phone || openWith === undefined;
  const showsThread = !phone || openWith !== undefined;
  return (
    <div ref={screen} className={classes.screen} data-thread={openWith !== undefined || undefined}>
      <Title>
        {app.title(conversation ? messaging.titleWith(conversation.otherUser.name) : messaging.title)}
      </Title>
      <h1 className={showsList && phone ? classes.title : 'visually-hidden'}>{messaging.title}</h1>
      {showsList && (
        <div className={classes.list}>
          {!phone && (
            <p className={classes.title} aria-hidden>
              {messaging.title}
            </p>
          )}
          <ConversationList
            query={query}
            viewer={viewer}
            openWith={openWith}
            cameFrom={phone && openWith === undefined ? left : undefined}
          />
        </div>
      )}
      {showsThread &&
        (conversation && isBlocked ? (
          <BlockedPane user={conversation.otherUser} {...actions} onBack={phone ? back : undefined} />
        ) : conversation ? (
          <ThreadPane
            key={conversation.id}
            conversation={conversation}
            exists={exists}
            // A placeholder's user is without a username, too, but may be there.
            canWrite={isPlaceholder || conversation.otherUser.username !== null}
            viewer={viewer}
            outbox={outbox}
            {...actions}
            onBack={phone ? back : undefined}
            chosen={chosen}
          />
        ) : openWith === undefined ? (
          // Without any there is nothing to choose, as the list says.
          (query.isError || query.hasNextPage || query.conversations?.length !== 0) && (
            <div className={classes.none}>
              <p className={classes.noneTitle}>{messaging.noneSelected}</p>
              <p>{messaging.noneSelectedText}</p>
            </div>
          )
        ) : (
          <ThreadLoading />
        ))}
    </div>
  );
}

/**
 * The conversation that the address asks for: the one in the list, else it is started; where that fails a placeholder with
 * the user, whose first message creates it (MSG-15), unless the viewer has blocked them. `exists`: whether it may have
 * messages; not where the whole list is known to be without it.
 */
function useConversationWith(
  userId: string | undefined,
  viewer: Me,
  { conversations, isError, hasNextPage }: ReturnType<typeof useConversations>,
): {
  conversation: Conversation | undefined;
  exists: boolean;
  isPlaceholder: boolean;
  isBlocked: boolean;
} {
  const { messaging } = useMessagingTexts();
  const listed = conversations?.find(({ otherUser }) => otherUser.id === userId);
  const known = conversations !== undefined || isError;
  // Kept while it is open: the first message takes it into the list, and a block takes it out.
  const [last, setLast] = useState<Conversation>();
  if (listed && listed !== last) setLast(listed);
  const wanted = userId !== undefined && known && !listed && last?.otherUser.id !== userId;
  const start = useStartedConversation(userId ?? '', wanted);
  const person = usePerson(userId ?? '', wanted && start.isError);
  const open = listed ?? (last?.otherUser.id === userId ? last : start.data);
  if (userId === undefined || open)
    return { conversation: open, exists: true, isPlaceholder: false, isBlocked: false };
  const failed = start.isError && !person.isPending;
  return {
    conversation: failed ? placeholderWith(viewer.id, userId, person.data, messaging.unknownUser) : undefined,
    exists: isError || hasNextPage,
    isPlaceholder: true,
    isBlocked: person.data?.viewer?.blocked === true,
  };
}
