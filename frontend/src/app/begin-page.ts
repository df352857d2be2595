import { askEarly } from '../server/client/early-answers.js';
import { send } from '../server/client/send.js';
import type { EarlyCalls, Page } from './pages.js';
import { loadQueries, pageAt } from './pages.js';

const calls: Pick<EarlyCalls, 'ask' | 'read'> = {
  ask: (path) => void askEarly(send, path),
  async read<T>(path: string) {
    try {
      const answer = await askEarly(send, path);
      return answer.ok ? ((await answer.clone().json()) as T) : undefined;
    } catch {
      // The page that uses the answer tells of the failure.
      return undefined;
    }
  },
};

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
  const { page, params } = pageAt(pathname);
  if (page.audience === 'guests' && member)
    return beginPage({ pathname: '/feed', search: '' }, member, viewer);
  if (page.audience === 'members' && !member) return loadPage('/login');
  loadPage(pathname);
  if (!rendered) page.early?.({ ...calls, viewer, query: new URLSearchParams(search) }, params);
}
