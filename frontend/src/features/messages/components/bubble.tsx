import { IconAlertCircle, IconDots, IconFlag } from '@tabler/icons-react';
import { memo } from 'react';
import type { Message } from '../../../api/types.js';
import { CompactTime } from '../../../components/compact-time.js';
import { MenuButton } from '../../../components/menu/menu-button.js';
import { WrittenText } from '../../../components/written-text/written-text.js';
import type { Outgoing } from '../outbox.js';
import { useMessagingTexts } from '../texts.js';
import type { ThreadActions } from '../thread-actions.js';
import classes from './thread.module.css';

interface BubbleProps extends Pick<ThreadActions, 'onReport'> {
  message: Message;
  own: boolean;
  /** The other user's name. */
  name: string;
  /** Screen readers hear whose and of when it is: of the first message of a group. */
  told: boolean;
}

/** A message of one of the two, or of Pulso itself (MSG-14). */
function Bubble({ message, own, name, told, onReport }: BubbleProps) {
  const { messaging } = useMessagingTexts();
  if (message.type === 'system') {
    return (
      <div className={classes.system} data-message={message.id}>
        <span className={classes.brand}>{messaging.brand}</span>
        <WrittenText text={message.content} />
        <CompactTime time={message.createdAt} className={classes.systemTime} />
      </div>
    );
  }
  return (
    <div className={classes.row} data-own={own || undefined} data-message={message.id}>
      {told && <span className="visually-hidden">{own ? messaging.fromYou : messaging.from(name)}</span>}
      <div className={classes.said}>
        <div className={classes.bubble}>
          <WrittenText text={message.content} />
        </div>
        {!own && (
          <MenuButton
            width={200}
            entries={(returnFocusTo) => [
              { label: messaging.report, Icon: IconFlag, run: () => onReport(message.id, returnFocusTo) },
            ]}
          >
            <button type="button" className={classes.more} aria-label={messaging.messageMenu}>
              <IconDots size={18} aria-hidden />
            </button>
          </MenuButton>
        )}
      </div>
      <span className={classes.time} aria-hidden={!told || undefined}>
        <CompactTime time={message.createdAt} />
      </span>
    </div>
  );
}

/** At most between messages of one group, in ms. */
const GROUP_MS = 5 * 60_000;

/** Whether a message goes on what the same user has said just before. */
const goesOn = (message: Message, previous: Message | undefined): boolean =>
  previous?.type === 'user' &&
  previous.senderId === message.senderId &&
  Date.parse(message.createdAt) - Date.parse(previous.createdAt) <= GROUP_MS;

interface ChunkProps extends Pick<ThreadActions, 'onReport'> {
  messages: readonly Message[];
  viewerId: string;
  name: string;
}

/** Messages that were loaded together; rendered again only when one of them changes. */
export const Chunk = memo(function Chunk({ messages, viewerId, ...shown }: ChunkProps) {
  return messages.map((message, index) => (
    <Bubble
      key={message.id}
      message={message}
      own={message.senderId === viewerId}
      told={!goesOn(message, messages[index - 1])}
      {...shown}
    />
  ));
});

interface OutgoingBubbleProps {
  outgoing: Outgoing;
  /** The first of those on their way. */
  first: boolean;
  onRetry: () => void;
  onDiscard: () => void;
}

/** A message on its way; one that failed stays with a mark, to be sent again or discarded (MSG-8). */
export function OutgoingBubble({ outgoing, first, onRetry, onDiscard }: OutgoingBubbleProps) {
  const { messaging } = useMessagingTexts();
  const { content, failed, refused } = outgoing;
  return (
    <div className={classes.row} data-own data-pending={failed === undefined || undefined}>
      {first && <span className="visually-hidden">{messaging.fromYou}</span>}
      <div className={classes.bubble} data-failed={failed !== undefined || undefined}>
        <WrittenText text={content} />
      </div>
      {failed === undefined ? (
        <span className={classes.time}>{messaging.sending}</span>
      ) : (
        <div className={classes.failure}>
          <span className={classes.reason} role="alert">
            <IconAlertCircle size={16} aria-hidden />
            {failed}
          </span>
          <span className={classes.acts}>
            {refused === undefined && (
              <button
                type="button"
                className={classes.act}
                aria-label={messaging.retryNamed}
                onClick={onRetry}
              >
                {messaging.retry}
              </button>
            )}
            <button
              type="button"
              className={classes.act}
              aria-label={messaging.discardNamed}
              onClick={onDiscard}
            >
              {messaging.discard}
            </button>
          </span>
        </div>
      )}
    </div>
  );
}
