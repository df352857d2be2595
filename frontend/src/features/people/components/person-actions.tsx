import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { usePeopleMessages } from '../messages.js';
import { usePeopleActions } from '../use-people-actions.js';
import { FollowButton } from './follow-button.js';
import classes from './people.module.css';

/** Follow, report and block another user; for a blocked user only unblock. */
export function PersonActions({ profile }: { profile: Profile }) {
  const { people } = usePeopleMessages();
  const actions = usePeopleActions();
  const [target, setTarget] = useState<HTMLButtonElement | null>(null);

  const blocked = profile.viewer?.blocked === true;
  const row = useFocusKept<HTMLDivElement>(blocked);

  if (blocked) {
    return (
      <div ref={row} className={classes.actions}>
        <BusyButton
          variant="default"
          label={people.unblock}
          busyLabel={people.unblocking}
          busy={actions.unblocking}
          onClick={() => void actions.unblock(profile)}
        />
      </div>
    );
  }
  return (
    <div ref={row} className={classes.actions}>
      <FollowButton profile={profile} />
      {profile.viewer && (
        <Menu position="bottom-end" width={240} shadow="md">
          <Menu.Target>
            <ActionIcon ref={setTarget} variant="default" size={44} aria-label={people.menu}>
              <IconDots size={20} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu}>{actions.personItems(profile, () => target)}</Menu.Dropdown>
        </Menu>
      )}
      {actions.dialog}
    </div>
  );
}
