import { Button } from '@mantine/core';
import { errorText, hasCode } from '../../../api/api-error.js';
import type { Profile } from '../../../api/types.js';
import { notify, toast } from '../../../components/feedback/feedback-store.js';
import { useCurrentUser } from '../../../session/session.js';
import { useFollow } from '../api/follow-user.js';
import { usePeopleMessages } from '../messages.js';
import classes from './people.module.css';

/** Follow/Following; asks visitors to log in (UI-3 and 6). */
export function FollowButton({ profile }: { profile: Profile }) {
  const messages = usePeopleMessages();
  const texts = messages.people;
  const viewer = useCurrentUser();
  const follow = useFollow(profile.id, viewer?.id, (error, wanted) => {
    const fallback = hasCode(error, 'blocked')
      ? texts.cannotFollow
      : wanted
        ? texts.followFailed
        : texts.unfollowFailed;
    toast({ type: 'error', message: errorText(error, fallback, messages) });
  });
  const following = profile.viewer?.following === true;

  const toggle = () => {
    if (!viewer) {
      return notify({ type: 'info', title: messages.app.loginRequired, message: texts.loginToFollow });
    }
    follow.mutate(!following);
  };

  return (
    <Button
      className={classes.follow}
      variant={following ? 'default' : 'filled'}
      aria-pressed={following}
      onClick={toggle}
    >
      {following ? texts.following : texts.follow}
    </Button>
  );
}
