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
/** The first word of a page's path. */
const WORDS = { post: 'post', profile: 'profile', coach: 'coaches' } as const;

/**
 * What the page at a decoded path is about. `private`: a page of the frontend that is about nobody and that guests are not
 * shown; `missing`: no address of the frontend (UI-1). `frontend` knows its pages that are about nobody.
 */
export function subjectOf(
  path: string,
  frontend: { hasPage(path: string): boolean },
): PageSubject | 'private' | 'missing' {
  const fixed = inSmallLetters(withoutSlashes(path));
  const site = SITE[fixed];
  if (site) return site;
  if (frontend.hasPage(fixed)) return 'private';
  const [first = '', second, ...deeper] = withoutSlashes(path).slice(1).split('/');
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
 * The one path of the page at a decoded path, whatever the spelling in which it was asked for: in other cases of letters, encoded, or
 * with slashes behind it (HTTP-41). Undefined where nothing is. `subject` is that of the path.
 */
export function oneAddress(path: string, subject: ReturnType<typeof subjectOf>): string | undefined {
  if (subject === 'missing') return undefined;
  if (subject === 'private' || subject.page === 'landing' || subject.page === 'directory')
    return inSmallLetters(withoutSlashes(path));
  if (subject.page !== 'username') return `/${WORDS[subject.page]}/${subject.id}`;
  const ofName = pathOf(subject.username);
  return isGateways(ofName) ? undefined : ofName;
}

const pathOf = (username: string): string => `/${encodeURIComponent(username)}`;

function named(given: string): PageSubject | undefined {
  const username = normalizeUsername(given);
  return username === undefined ? undefined : { page: 'username', username };
}

function aboutOne(first: string, id: string): PageSubject | undefined {
  const page = (['post', 'profile', 'coach'] as const).find((one) => WORDS[one] === inSmallLetters(first));
  return page && isId(id) ? { page, id } : undefined;
}

/** As the words of all addresses are. Letters of other alphabets stay: some become one of these. */
const inSmallLetters = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Not by a regular expression, which would take long for many slashes that do not stand at the end. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
