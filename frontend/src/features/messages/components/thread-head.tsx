import { ActionIcon } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { UserRef } from '../../../api/types.js';
import { Avatar } from '../../../components/avatar.js';
import { DotsMenu } from '../../../components/menu/dots-menu.js';
import type { MenuEntries } from '../../../components/menu/menu-entry.js';
import { Handle } from '../../../components/person-names.js';
import { profilePath } from '../../../components/profile-path.js';
import { useMessagingTexts } from '../texts.js';
import classes from './thread.module.css';

interface ThreadHeadProps {
  /** The id of the name, which names the pane. */
  nameId: string;
  user: UserRef;
  onBack: (() => void) | undefined;
  /** Of the conversation's menu; without them there is none. */
  entries?: MenuEntries;
}

/** Who a conversation is with. */
export function ThreadHead({ nameId, user, onBack, entries }: ThreadHeadProps) {
  const { messaging } = useMessagingTexts();
  return (
    <header className={classes.head}>
      {onBack && (
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={messaging.back} onClick={onBack}>
          <IconArrowLeft size={22} aria-hidden />
        </ActionIcon>
      )}
      <Link to={profilePath(user)} className={classes.person}>
        <Avatar user={user} size={40} />
        <span className={classes.names}>
          <span id={nameId} role="heading" aria-level={2} className={`one-line ${classes.name}`} dir="auto">
            {user.name}
          </span>
          <span className={classes.role}>
            <Handle user={user} />
            {user.isCoach && <span>{messaging.fitnessCoach}</span>}
          </span>
        </span>
      </Link>
      {entries && (
        <div className={classes.menu}>
          <DotsMenu label={messaging.menu} entries={entries} />
        </div>
      )}
    </header>
  );
}
