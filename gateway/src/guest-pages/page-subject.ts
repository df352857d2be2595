import { isId } from '@pulso/platform/ids/uuid-v7';
import { isGateways } from '../http/pages/no-route.js';
import { normalizeUsername } from '../validation/fields.js';

/** What a page that guests are shown is about. */
export type PageSubject = { page: 'landing' } | { page: 'directory' } | SubjectOfServices;

/** What services know of. */
export type SubjectOfServices =
  | { page: 'post' | 'profile' | 'coach'; id: string }
  /** Normalised (PEOPLE-6). */
  | { page: 'username'; username: string };

const SITE: Readonly<Record<string, PageSubject>> = {
  '/': { page: 'landing' },
  '/coaches': { page: 'directory' },
};
const ABOUT_ONE: Readonly<Record<string, 'post' | 'profile' | 'coach'>> = {
  post: 'post',
  profile: 'profile',
  coaches: 'coach',
};

/**
 * What the page at a decoded path is about. `private`: a page of the frontend that is about nobody and that guests are not
 * shown; `missing`: no address of the frontend (UI-1). `frontend` knows its pages that are about nobody.
 */
export function subjectOf(
  path: string,
  frontend: { hasPage(path: string): boolean },
): PageSubject | 'private' | 'missing' {
  const address = withoutSlash(path);
  const site = SITE[address];
  if (site) return site;
  if (frontend.hasPage(address)) return 'private';
  const [first = '', second, ...deeper] = address.slice(1).split('/');
  if (deeper.length > 0) return 'missing';
  return (second === undefined ? named(first) : aboutOne(first, second)) ?? 'missing';
}

/** The path of the present username, where a page is asked for by a former one of the same person (PEOPLE-9). */
export function formerName(
  { username }: { username: string },
  present: string | null,
): { movedTo: string } | undefined {
  return present === null || present === '' || present === username
    ? undefined
    : { movedTo: pathOf(present) };
}

/**
 * The path of a username, where it is asked for in another spelling: other cases of letters, encoded, with a slash behind it
 * (HTTP-41). `sent` is the path as it came.
 */
export function otherSpelling(subject: PageSubject, sent: string): string | undefined {
  if (subject.page !== 'username') return undefined;
  const path = pathOf(subject.username);
  return path === sent || isGateways(path) ? undefined : path;
}

const pathOf = (username: string): string => `/${encodeURIComponent(username)}`;

function named(given: string): PageSubject | undefined {
  const username = normalizeUsername(given);
  return username === undefined ? undefined : { page: 'username', username };
}

function aboutOne(first: string, id: string): PageSubject | undefined {
  const page = Object.hasOwn(ABOUT_ONE, first) ? ABOUT_ONE[first] : undefined;
  return page && isId(id) ? { page, id } : undefined;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
