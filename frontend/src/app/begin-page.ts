import { askEarly } from '../server/client/early-answers.js';
import { send } from '../server/client/send.js';
import { readWithSession } from '../server/session/first-reads.js';
import type { EarlyCalls, Page } from './pages.js';
import { loadQueries, pageAt } from './pages.js';

type Send = Parameters<typeof askEarly>[0];

/** With the refresh that restores the session, where that reads it (ACCT-39), else on its own. */
const sendWithSession: Send = async (request) => {
  const { pathname, search } = new URL(request.url);
  return (await readWithSession(pathname + search)) ?? send(request);
};

const callsBy = (by: Send): Pick<EarlyCalls, 'ask' | 'read'> => ({
  ask: (path) => void askEarly(by, path),
  async read<T>(path: string) {
    try {
      const answer = await askEarly(by, path);
      return answer.ok ? ((await answer.clone().json()) as T) : undefined;
    } catch {
      // The page that uses the answer tells of the failure.
      return undefined;
    }
  },
});

const ignored = () => undefined;

const loadMembers = (): void => void import('./shell/members.js').catch(ignored);

/** A member is there, or is about to be: login and sign-up. The landing page, which is plain, does without. */
const needsMembers = ({ audience, plain }: Page): boolean => audience !== 'everyone' && !plain;

/** Loads the code of the page at `pathname`. A failure is told where the page is rendered, which loads it again. */
export function loadPage(pathname: string): void {
  const { page } = pageAt(pathname);
  page.load().catch(ignored);
  if (!page.plain) loadQueries().catch(ignored);
  // Bell, menu and bottom bar are there at once.
  if (needsMembers(page)) loadMembers();
}

/** The path of the page that will be shown: guests' pages lead members to the feed, members' pages guests to the login. */
export function shownPath(pathname: string, member: boolean): string {
  const { audience } = pageAt(pathname).page;
  if (audience === 'guests' && member) return '/feed';
  return audience === 'members' && !member ? '/login' : pathname;
}

/**
 * Loads the code of the page that will be shown at an address and sends the calls that it begins with, beside the rest of
 * the code. `member`: whether the browser was signed in; `viewer`: the viewer's id, once it is
 * known; `rendered`: the page has come with its data.
 */
export function beginPage(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  member: boolean,
  viewer: Promise<string | undefined>,
  rendered = false,
): void {
  if (member) loadMembers();
  const shown = shownPath(pathname, member);
  loadPage(shown);
  const { page, params } = pageAt(shown);
  const query = new URLSearchParams(shown === pathname ? search : '');
  if (!rendered) page.early?.({ ...callsBy(member ? sendWithSession : send), viewer, query }, params);
}
