import type { ReactNode } from 'react';
import type { Profile } from '../../../api/types.js';
import { BusyButton } from '../../../components/busy-button.js';
import { DotsMenu } from '../../../components/menu/dots-menu.js';
import { useFocusKept } from '../../../components/use-focus-kept.js';
import { usePeopleTexts } from '../texts.js';
import { usePeopleActions } from '../use-people-actions.js';
import { FollowButton } from './follow-button.js';
import classes from './people.module.css';

interface PersonActionsProps {
  profile: Profile;
  /** Another button, beside Follow. */
  children?: ReactNode;
}

/** Follow, report and block another user; for a blocked user only unblock. */
export function PersonActions({ profile, children }: PersonActionsProps) {
  const { people } = usePeopleTexts();
  const actions = usePeopleActions();

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
          onClick={() => actions.unblock(profile)}
        />
      </div>
    );
  }
  return (
    <div ref={row} className={classes.actions}>
      {/* A coach's main action is Subscribe. */}
      <FollowButton profile={profile} quiet={profile.isCoach} />
      {children}
      {profile.viewer && (
        <DotsMenu label={people.menu} variant="default" entries={actions.personEntries(profile)} />
      )}
      {actions.dialog}
    </div>
  );
}
