import type { ComponentType } from 'react';
import type { ConversationPage, Profile } from '../api/types.js';
import { THREAD_PAGE } from '../shared/conversation-id.js';

/** Sends `GET path` before the code of the page is there; resolves to the body where something depends on it. */
export interface EarlyCalls {
  ask(path: string): void;
  /** As `ask`; undefined when there is no good answer. */
  read<T>(path: string): Promise<T | undefined>;
  /** The viewer's id once the session is known; undefined for visitors. */
  viewer: Promise<string | undefined>;
  /** The query of the page's address. */
  query: URLSearchParams;
}

type Params = Readonly<Record<string, string>>;

export interface Page {
  /** As React Router's. */
  path: string;
  /** Guests leave for the feed once they are signed in, others log in first. */
  audience: 'guests' | 'members' | 'everyone';
  load: () => Promise<{ default: ComponentType }>;
  /** It uses no queries, and is loaded without their code. */
  plain?: true;
  /** The server renders it for visitors, with its content (UI-68). */
  rendered?: true;
  /** The calls that the page begins with. */
  early?: (calls: EarlyCalls, params: Params) => void;
}

/** Not where the reviews are open. */
function askForPosts({ ask, query }: EarlyCalls, userId: string | undefined): void {
  if (userId !== undefined && query.get('tab') !== 'reviews') ask(`/api/users/${userId}/posts`);
}

/** The newest messages of the conversation that `?with=` names (MSG-15), if it is among the latest ones. */
function askForThread({ ask, query }: EarlyCalls, latest: ConversationPage | undefined): void {
  const open = latest?.items.find(({ otherUser }) => otherUser.id === query.get('with'));
  if (open) ask(`/api/conversations/${encodeURIComponent(open.id)}/messages?limit=${THREAD_PAGE}`);
}

const profileById = (param: string) => (calls: EarlyCalls, params: Params) => {
  calls.ask(`/api/users/${params[param]}`);
  askForPosts(calls, params[param]);
};

/** What the pages that use queries have around them. */
export const loadQueries = () => import('../server/queries/queries.js');

const notFound = () => import('../pages/not-found-page.js');

/** Every page, each with a chunk of its own, the more specific paths first (UI-1). */
export const PAGES: readonly Page[] = [
  {
    path: '/',
    audience: 'guests',
    load: () => import('../pages/landing-page.js'),
    plain: true,
    rendered: true,
    early: ({ ask }) => ask('/api/config'),
  },
  { path: '/login', audience: 'guests', load: () => import('../pages/login-page.js') },
  { path: '/signup', audience: 'guests', load: () => import('../pages/sign-up-page.js') },
  {
    path: '/feed',
    audience: 'members',
    load: () => import('../pages/feed-page.js'),
    early: ({ ask }) => ask('/api/feed'),
  },
  {
    path: '/profile',
    audience: 'members',
    load: () => import('../pages/own-profile-page.js'),
    early: (calls) => {
      calls.ask('/api/me');
      void calls.viewer.then((id) => askForPosts(calls, id));
    },
  },
  {
    path: '/dashboard',
    audience: 'members',
    load: () => import('../pages/dashboard-page.js'),
    early: ({ ask }) => ask('/api/dashboard'),
  },
  {
    path: '/subscriptions',
    audience: 'members',
    load: () => import('../pages/subscriptions-page.js'),
    early: ({ ask }) => ask('/api/subscriptions'),
  },
  {
    path: '/coach/dashboard',
    audience: 'members',
    load: () => import('../pages/coach-dashboard-page.js'),
  },
  {
    path: '/messages',
    audience: 'members',
    load: () => import('../pages/messages-page.js'),
    early: (calls) =>
      void calls.read<ConversationPage>('/api/conversations').then((latest) => askForThread(calls, latest)),
  },
  {
    path: '/settings',
    audience: 'members',
    load: () => import('../pages/settings-page.js'),
    early: ({ ask }) => ask('/api/auth/sessions'),
  },
  {
    path: '/forgot-password',
    audience: 'everyone',
    load: () => import('../pages/forgot-password-page.js'),
  },
  {
    path: '/reset-password',
    audience: 'everyone',
    load: () => import('../pages/reset-password-page.js'),
  },
  { path: '/verify-email', audience: 'everyone', load: () => import('../pages/verify-email-page.js') },
  { path: '/unsubscribe', audience: 'everyone', load: () => import('../pages/unsubscribe-page.js') },
  {
    path: '/coaches',
    audience: 'everyone',
    load: () => import('../pages/coaches-page.js'),
    rendered: true,
  },
  {
    path: '/coaches/:coachId',
    audience: 'everyone',
    load: () => import('../pages/coach-page.js'),
    rendered: true,
    early: profileById('coachId'),
  },
  {
    path: '/profile/:userId',
    audience: 'everyone',
    load: () => import('../pages/profile-page.js'),
    rendered: true,
    early: profileById('userId'),
  },
  {
    path: '/post/:postId',
    audience: 'everyone',
    load: () => import('../pages/post-page.js'),
    rendered: true,
    early: ({ ask }, { postId }) => {
      ask(`/api/posts/${postId}`);
      ask(`/api/posts/${postId}/comments`);
    },
  },
  // The beginnings of other addresses, which are reserved: no user has such a name.
  { path: '/post', audience: 'everyone', load: notFound },
  { path: '/coach', audience: 'everyone', load: notFound },
  {
    path: '/:username',
    audience: 'everyone',
    load: () => import('../pages/username-page.js'),
    rendered: true,
    early: (calls, { username }) =>
      void calls
        .read<Profile>(`/api/users/by-username/${username}`)
        .then((profile) => askForPosts(calls, profile?.id)),
  },
  { path: '*', audience: 'everyone', load: notFound },
];

/** The page at a path of the address; its parameters are encoded as in the paths of calls. */
export function pageAt(pathname: string): { page: Page; params: Params } {
  const given = segmentsOf(pathname);
  for (const page of PAGES) {
    const wanted = segmentsOf(page.path);
    if (wanted.length !== given.length) continue;
    if (!wanted.every((segment, index) => segment.startsWith(':') || segment === given[index]?.toLowerCase()))
      continue;
    const named = wanted.flatMap((segment, index) =>
      segment.startsWith(':') ? [[segment.slice(1), encoded(given[index]!)] as const] : [],
    );
    return { page, params: Object.fromEntries(named) };
  }
  return { page: PAGES.at(-1)!, params: {} };
}

/** As `encodeURIComponent` writes it; a segment that cannot be decoded stays as it is. */
function encoded(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

/** As for the router, only slashes at the end do not count: `//evil.com` is no page. */
function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\/|\/+$/g, '');
  return inner === '' ? [] : inner.split('/');
}
