import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Me, Profile } from '../../api/types.js';
import { FIRST_COACHES, useFirstCoaches, useSuggestedCoaches } from '../../shared/coaches.js';
import { Avatar } from '../../components/avatar.js';
import { useWayBack } from '../../components/login-required.js';
import { addressesOf, profilePath } from '../../components/profile-path.js';
import { SiteFooter } from '../../components/site-footer.js';
import { FollowButton } from '../../features/people/components/follow-button.js';
import { usePeopleTexts } from '../../features/people/texts.js';
import { useMe } from '../../features/profile/api/get-me.js';
import { Stats } from '../../features/profile/components/stats.js';
import { useTexts } from '../../i18n/texts.js';
import { useSession } from '../../server/session/session.js';
import classes from './side-column.module.css';

/** Beside the main column on wide screens: the viewer, coaches to follow, and the site's links (UI-50). */
export function SideColumn() {
  const { nav } = useTexts();
  const state = useSession();
  const { pathname } = useLocation();
  const viewer = state.status === 'signed-in' ? state.user : undefined;
  return (
    <aside className={classes.side} aria-label={nav.side}>
      {viewer && <ViewerCard viewer={viewer} />}
      {state.status === 'signed-out' && <JoinCard />}
      {/* Who is followed already depends on the viewer, whom a starting page does not know yet. */}
      {viewer && <SuggestedCoaches key={`${viewer.id} ${pathname}`} viewer={viewer} path={pathname} />}
      {state.status === 'signed-out' && <BestCoaches key={pathname} path={pathname} />}
      {state.status !== 'signed-in' && state.status !== 'signed-out' && <SiteFooter />}
    </aside>
  );
}

/** The viewer's figures that the side column shows. */
const SHOWN_FIGURES = ['posts', 'followers', 'following'] as const;

function ViewerCard({ viewer }: { viewer: Me }) {
  const { me, pending } = useMe(viewer);
  return (
    <section className={`card ${classes.card}`} aria-label={me.name}>
      <Link to="/profile" className={classes.person}>
        <Avatar user={me} size={48} />
        <span className={classes.names}>
          <span className={`one-line ${classes.name}`} dir="auto">
            {me.name}
          </span>
          {me.username && <span className={`one-line ${classes.handle}`}>@{me.username}</span>}
        </span>
      </Link>
      <Stats profile={me} pending={pending} show={SHOWN_FIGURES} compact />
    </section>
  );
}

function JoinCard() {
  const { nav, side } = useTexts();
  const wayBack = useWayBack();
  return (
    <section className={`card ${classes.card}`} aria-labelledby="side-join">
      <h2 id="side-join" className={classes.title}>
        {side.join}
      </h2>
      <p className={classes.quiet}>{side.joinText}</p>
      <div className={classes.actions}>
        <Button component={Link} to="/signup" variant="default" {...wayBack}>
          {nav.signUp}
        </Button>
        <Button component={Link} to="/login" variant="subtle" color="gray" {...wayBack}>
          {nav.login}
        </Button>
      </div>
    </section>
  );
}

const isOpenAt = (path: string, coach: Profile): boolean =>
  addressesOf(coach).some((address) => address.toLowerCase() === path.toLowerCase());

const mayFollow = (coach: Profile, viewer: Me | undefined): boolean =>
  coach.id !== viewer?.id && !coach.viewer?.following && !coach.viewer?.blocked;

function SuggestedCoaches({ viewer, path }: { viewer: Me; path: string }) {
  const { coaches, isPending } = useSuggestedCoaches();
  return <CoachesAndFooter coaches={coaches} pending={isPending} viewer={viewer} path={path} />;
}

function BestCoaches({ path }: { path: string }) {
  const { coaches, isPending } = useFirstCoaches();
  return <CoachesAndFooter coaches={coaches} pending={isPending} viewer={undefined} path={path} />;
}

/** The footer comes once it is known what stands above: it does not move then. */
function CoachesAndFooter({ pending, ...coaches }: CoachesToFollowProps & { pending: boolean }) {
  if (pending) return null;
  return (
    <>
      <CoachesToFollow {...coaches} />
      <SiteFooter />
    </>
  );
}

interface CoachesToFollowProps {
  /** Undefined while they are not known. */
  coaches: Profile[] | undefined;
  viewer: Me | undefined;
  path: string;
}

/** The first of them, without the one whose page is open. One that was just followed stays until the next page. */
function CoachesToFollow({ coaches, viewer, path }: CoachesToFollowProps) {
  const { side } = useTexts();
  const { people } = usePeopleTexts();
  const [chosen, setChosen] = useState<string[]>();
  if (coaches && !chosen) {
    const first = coaches.filter((coach) => mayFollow(coach, viewer) && !isOpenAt(path, coach));
    setChosen(first.slice(0, FIRST_COACHES).map(({ id }) => id));
  }
  const shown = coaches?.filter(({ id }) => chosen?.includes(id));
  if (!shown?.length) return null;
  return (
    <section className={`card ${classes.card}`} aria-labelledby="side-coaches">
      <h2 id="side-coaches" className={classes.title}>
        {people.suggestions}
      </h2>
      <ul className={classes.list}>
        {shown.map((coach) => (
          <li key={coach.id} className={classes.entry}>
            <Link to={profilePath(coach)} className={classes.person}>
              <Avatar user={coach} size={40} />
              <span className={classes.names}>
                <span className={`one-line ${classes.name}`} dir="auto">
                  {coach.name}
                </span>
                <span className={`one-line ${classes.handle}`}>
                  {coach.specialties.join(', ') || (coach.username && `@${coach.username}`)}
                </span>
              </span>
            </Link>
            <FollowButton profile={coach} compact />
          </li>
        ))}
      </ul>
      <Link to="/coaches" className={`text-link ${classes.all}`}>
        {side.allCoaches}
      </Link>
    </section>
  );
}
