import { useId } from 'react';
import type { UserRef } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useMessagingTexts } from '../texts.js';
import type { ThreadActions } from '../thread-actions.js';
import { ThreadHead } from './thread-head.js';
import classes from './thread.module.css';

interface BlockedPaneProps extends Pick<ThreadActions, 'unblock' | 'unblocking'> {
  user: UserRef;
  onBack: (() => void) | undefined;
}

/** In place of the conversation with a user whom the viewer has blocked: neither can write to the other (MSG-9). */
export function BlockedPane({ user, unblock, unblocking, onBack }: BlockedPaneProps) {
  const { messaging } = useMessagingTexts();
  const nameId = useId();
  return (
    <section className={classes.pane} aria-labelledby={nameId}>
      <ThreadHead nameId={nameId} user={user} onBack={onBack} />
      <div className={classes.blocked}>
        <p>{messaging.blocked(user.name)}</p>
        <BusyButton
          variant="default"
          label={messaging.unblock}
          busyLabel={messaging.unblocking}
          busy={unblocking}
          onClick={() => unblock(user)}
        />
      </div>
    </section>
  );
}
