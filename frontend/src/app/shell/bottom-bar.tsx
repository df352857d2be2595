import { IconPlus } from '@tabler/icons-react';
import { NavLink } from 'react-router-dom';
import type { Me } from '../../api/types.js';
import { useBadges } from '../../server/live/badges.js';
import { Avatar } from '../../components/avatar.js';
import { PUBLISHER, useGoTo } from '../../components/shortcuts/targets.js';
import { UnreadBadge } from '../../components/unread-badge.js';
import { useTexts } from '../../i18n/texts.js';
import { ICONS } from './destination-icons.js';
import { destinationsAt, viewerOf } from './destinations.js';
import type { MembersDestination } from './destinations.js';
import classes from './shell.module.css';

/** New post stands in the middle. */
const BEFORE_NEW_POST = 2;

/** The pages that a phone's user goes to most, within reach of the thumb (UI-49). */
export function BottomBar({ viewer }: { viewer: Me }) {
  const { nav } = useTexts();
  const goTo = useGoTo();
  const links = destinationsAt('bottom', viewerOf(viewer)).map((destination) => (
    <BottomLink key={destination.id} destination={destination} viewer={viewer} />
  ));
  return (
    <nav className={classes.bottomBar} aria-label={nav.quick}>
      {links.slice(0, BEFORE_NEW_POST)}
      <button type="button" className={classes.bottomLink} onClick={() => goTo(PUBLISHER)}>
        <IconPlus size={24} aria-hidden />
        {nav.newPost}
      </button>
      {links.slice(BEFORE_NEW_POST)}
    </nav>
  );
}

function BottomLink({ destination, viewer }: { destination: MembersDestination; viewer: Me }) {
  const { nav } = useTexts();
  const badges = useBadges();
  const { id, to, text, shortText = text, badge } = destination;
  const Icon = ICONS[id];
  return (
    <NavLink to={to} end className={classes.bottomLink}>
      {id === 'profile' ? (
        <span className={classes.face}>
          <Avatar user={viewer} size={24} />
        </span>
      ) : (
        <span className={classes.bottomLinkIcon}>
          <Icon size={24} aria-hidden />
          {badge && <UnreadBadge count={badges[badge]} className={classes.bottomLinkBadge} />}
        </span>
      )}
      {nav[shortText]}
    </NavLink>
  );
}
