import {
  IconHome,
  IconLogin,
  IconMessageCircle,
  IconUser,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { Badges } from '../../api/types.js';
import { PUBLISHER, SEARCH } from '../../components/shortcuts/targets.js';
import type { Target } from '../../components/shortcuts/targets.js';
import type { Texts } from '../../i18n/texts.js';
import { pageAt } from '../pages.js';

/** Where links stand: the bar, its panel under 768 px, the bar at the bottom of phones, the menu of the user's face. */
export type LinkPlace = 'header' | 'panel' | 'bottom' | 'userMenu';

type NavText = {
  [Key in keyof Texts['nav']]: Texts['nav'][Key] extends string ? Key : never;
}[keyof Texts['nav']];

/** A page that has links of its own everywhere. */
export interface Destination {
  id: 'feed' | 'coaches' | 'messages' | 'profile' | 'login' | 'signUp';
  to: string;
  text: NavText;
  /** In the bar at the bottom, where a word must be short. */
  shortText?: NavText;
  Icon: Icon;
  audience: 'everyone' | 'members' | 'guests';
  /** The count that is shown beside it. */
  badge?: keyof Badges;
  places: readonly LinkPlace[];
  /** What its key goes to on the page. */
  shortcut?: Target;
  /** Pages below it belong to others: only at its own address is it the present one. */
  alone?: true;
}

/** In the order in which they are shown. What leads nowhere, such as the theme or Logout, is an action of the place itself. */
export const DESTINATIONS: readonly Destination[] = [
  {
    id: 'feed',
    to: '/feed',
    text: 'feed',
    Icon: IconHome,
    // It leads visitors to the login (UI-7).
    audience: 'everyone',
    places: ['header', 'panel', 'bottom'],
    shortcut: PUBLISHER,
  },
  {
    id: 'coaches',
    to: '/coaches',
    text: 'coaches',
    Icon: IconUsers,
    audience: 'everyone',
    places: ['header', 'panel', 'bottom'],
    shortcut: SEARCH,
  },
  {
    id: 'messages',
    to: '/messages',
    text: 'messages',
    Icon: IconMessageCircle,
    audience: 'members',
    badge: 'messages',
    places: ['header', 'panel', 'bottom'],
  },
  {
    id: 'profile',
    to: '/profile',
    text: 'profile',
    shortText: 'me',
    Icon: IconUser,
    audience: 'members',
    places: ['panel', 'bottom', 'userMenu'],
    alone: true,
  },
  {
    id: 'login',
    to: '/login',
    text: 'login',
    Icon: IconLogin,
    audience: 'guests',
    places: ['header', 'panel'],
  },
  {
    id: 'signUp',
    to: '/signup',
    text: 'signUp',
    Icon: IconUserPlus,
    audience: 'guests',
    places: ['header', 'panel'],
  },
];

/** `undefined`: not known yet, while the session is restored. */
export type Viewer = 'member' | 'guest' | undefined;

const isFor = ({ audience }: Destination, viewer: Viewer): boolean =>
  audience === 'everyone' || (viewer !== undefined && audience === `${viewer}s`);

export const destinationsAt = (place: LinkPlace, viewer: Viewer): Destination[] =>
  DESTINATIONS.filter((destination) => destination.places.includes(place) && isFor(destination, viewer));

/** What the keys go to; for visitors, on pages that are for them. */
export const shortcutsOf = (viewer: Viewer): Target[] =>
  DESTINATIONS.flatMap((destination) => {
    const { to, shortcut } = destination;
    const open = viewer === 'member' || pageAt(to).page.audience !== 'members';
    return shortcut && open && isFor(destination, viewer) ? [shortcut] : [];
  });
