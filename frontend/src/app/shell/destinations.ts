import type { Badges, Me } from '../../api/types.js';
import { PUBLISHER, SEARCH } from '../../components/shortcuts/targets.js';
import type { Target } from '../../components/shortcuts/targets.js';
import type { Texts } from '../../i18n/texts.js';
import { pageAt } from '../pages.js';

/** Where links stand: the bar, its panel under 768 px, the bar at the bottom of phones, the menu of the user's face. */
export type LinkSlot = 'header' | 'panel' | IconSlot;
/** Members' alone: their links have icons. */
type IconSlot = 'bottom' | 'userMenu';

type NavText = {
  [Key in keyof Texts['nav']]: Texts['nav'][Key] extends string ? Key : never;
}[keyof Texts['nav']];

interface Link {
  to: string;
  text: NavText;
  /** In the bar at the bottom, where a word must be short. */
  shortText?: NavText;
  /** The count that is shown beside it. */
  badge?: keyof Badges;
  /** What its key goes to on the page. */
  shortcut?: Target;
  /** Pages below it belong to others: only at its own address is it the present one. */
  alone?: true;
}

/** Its icon is in destination-icons.ts, whose code members alone load. */
export interface MembersDestination extends Link {
  id: 'feed' | 'coaches' | 'messages' | 'profile' | 'subscriptions' | 'settings';
  audience: 'everyone' | 'members';
  slots: readonly LinkSlot[];
}

/** Without an icon. */
interface PlainDestination extends Link {
  id: 'dashboard' | 'login' | 'signUp';
  audience: 'coaches' | 'guests';
  slots: readonly Exclude<LinkSlot, IconSlot>[];
}

/** A page that has links of its own everywhere. */
export type Destination = MembersDestination | PlainDestination;

/**
 * In the order in which they are shown (UI-7, UI-8). What leads nowhere, such as the theme or Logout, is an action of the
 * slot itself.
 */
export const DESTINATIONS: readonly Destination[] = [
  {
    id: 'feed',
    to: '/feed',
    text: 'feed',
    // It leads visitors to the login (UI-7).
    audience: 'everyone',
    slots: ['header', 'panel', 'bottom'],
    shortcut: PUBLISHER,
  },
  {
    id: 'coaches',
    to: '/coaches',
    text: 'coaches',
    audience: 'everyone',
    slots: ['header', 'panel', 'bottom'],
    shortcut: SEARCH,
  },
  {
    id: 'messages',
    to: '/messages',
    text: 'messages',
    audience: 'members',
    badge: 'messages',
    slots: ['header', 'panel', 'bottom'],
  },
  {
    id: 'dashboard',
    to: '/dashboard',
    text: 'dashboard',
    audience: 'coaches',
    slots: ['header', 'panel'],
  },
  {
    id: 'profile',
    to: '/profile',
    text: 'profile',
    shortText: 'me',
    audience: 'members',
    slots: ['panel', 'bottom', 'userMenu'],
    alone: true,
  },
  {
    id: 'subscriptions',
    to: '/subscriptions',
    text: 'subscriptions',
    audience: 'members',
    slots: ['panel', 'userMenu'],
  },
  {
    id: 'settings',
    to: '/settings',
    text: 'settings',
    audience: 'members',
    slots: ['panel', 'userMenu'],
  },
  {
    id: 'login',
    to: '/login',
    text: 'login',
    audience: 'guests',
    slots: ['header', 'panel'],
  },
  {
    id: 'signUp',
    to: '/signup',
    text: 'signUp',
    audience: 'guests',
    slots: ['header', 'panel'],
  },
];

/** `undefined`: not known yet, while the session is restored. */
export type Viewer = 'coach' | 'member' | 'guest' | undefined;

const AUDIENCES: Readonly<Record<NonNullable<Viewer>, readonly Destination['audience'][]>> = {
  coach: ['everyone', 'members', 'coaches'],
  member: ['everyone', 'members'],
  guest: ['everyone', 'guests'],
};

const isFor = ({ audience }: Destination, viewer: Viewer): boolean =>
  audience === 'everyone' || (viewer !== undefined && AUDIENCES[viewer].includes(audience));

export const viewerOf = ({ isCoach }: Pick<Me, 'isCoach'>): 'coach' | 'member' =>
  isCoach ? 'coach' : 'member';

export function destinationsAt(slot: IconSlot, viewer: 'coach' | 'member'): MembersDestination[];
export function destinationsAt(slot: LinkSlot, viewer: Viewer): Destination[];
export function destinationsAt(slot: LinkSlot, viewer: Viewer): Destination[] {
  return DESTINATIONS.filter(
    (destination) => destination.slots.some((one) => one === slot) && isFor(destination, viewer),
  );
}

/** What the keys go to; for visitors, on pages that are for them; nothing until it is known who is there. */
export const shortcutsOf = (viewer: Viewer): Target[] =>
  DESTINATIONS.flatMap((destination) => {
    const { to, shortcut } = destination;
    const open = viewer !== 'guest' || pageAt(to).page.audience !== 'members';
    return shortcut && viewer && open && isFor(destination, viewer) ? [shortcut] : [];
  });
