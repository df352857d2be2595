import { Button } from '@mantine/core';
import { useRef } from 'react';
import { errorText, hasCode } from '../../../server/http/api-error.js';
import type { Profile } from '../../../api/types.js';
import { toast } from '../../../components/feedback/feedback-store.js';
import { useAskToLogIn, usePendingAction } from '../../../components/login-required.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { followAct, useFollow } from '../api/follow-user.js';
import { usePeopleTexts } from '../texts.js';
import classes from './people.module.css';

type Followed = Pick<Profile, 'id' | 'name'> & {
  viewer: Pick<NonNullable<Profile['viewer']>, 'isSelf' | 'following'> | null;
};

interface FollowButtonProps {
  profile: Followed;
  /** In a list of people: small, quiet, and named after the person. */
  compact?: boolean;
  /** Beside another main action. */
  quiet?: boolean;
}

/** Follow/Following: the text alone tells the state, to screen readers too. Asks visitors to log in (UI-34). */
export function FollowButton({ profile, compact = false, quiet = false }: FollowButtonProps) {
  const texts = usePeopleTexts();
  const { people } = texts;
  const viewer = useCurrentUser();
  const follow = useFollow(profile.id, viewer?.id, (error, wanted) => {
    const fallback = hasCode(error, 'blocked')
      ? people.cannotFollow
      : wanted
        ? people.followFailed
        : people.unfollowFailed;
    toast({ type: 'error', message: errorText(error, fallback, texts), act: followAct(profile.id) });
  });
  const following = profile.viewer?.following === true;

  const askToLogIn = useAskToLogIn();
  const followThis = followAct(profile.id);
  const button = useRef<HTMLButtonElement>(null);
  const followPending = () => {
    if (!following && !profile.viewer?.isSelf) follow.mutate(true);
  };
  usePendingAction(followThis, followPending, button);

  const toggle = () => {
    if (!viewer) return askToLogIn(people.loginToFollow, followThis);
    follow.mutate(!following);
  };

  return (
    <Button
      ref={button}
      className={compact ? classes.compactFollow : classes.follow}
      variant={following || compact || quiet ? 'default' : 'filled'}
      data-following={following || undefined}
      aria-label={compact ? (following ? people.followingUser : people.followUser)(profile.name) : undefined}
      onClick={toggle}
    >
      {following ? people.following : people.follow}
    </Button>
  );
}
