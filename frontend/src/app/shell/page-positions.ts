import { tryStorage } from '../../browser/try-storage.js';

/** Where somebody was on a page (UI-52): the scroll position, and what had the focus. */
export interface PagePosition {
  /** In CSS px. */
  y: number;
  /** The post whose card had the focus, or had a control with it. */
  post?: string;
  /** The address of the link that had the focus. */
  href?: string;
}

const STORAGE_KEY = 'pulso.places';
/** The newest ones are kept, also over a reload of the tab. */
const MAX_POSITIONS = 50;

const positions = new Map<string, PagePosition>(stored());

/** Without access to storage, positions last until the page is closed. */
function stored(): [string, PagePosition][] {
  const json = () => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, PagePosition][];
  return tryStorage(json) ?? [];
}

/** @param entry a history entry: its key and its address, as every first page of a tab has the same key */
export const positionAt = (entry: string): PagePosition | undefined => positions.get(entry);

export function rememberPosition(entry: string, position: PagePosition): void {
  // The last one changed is the last one in the map.
  positions.delete(entry);
  positions.set(entry, position);
  const oldest = positions.keys().next().value;
  if (positions.size > MAX_POSITIONS && oldest !== undefined) positions.delete(oldest);
}

/** For the next page load: the tab is about to be hidden or left. */
export const storePositions = (): void =>
  tryStorage(() => sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions])));

/** The position right now; `element` has the focus, or was pressed, which not every browser focuses. */
export function positionWith(element: Element | null): PagePosition {
  return {
    y: window.scrollY,
    post: element?.closest<HTMLElement>('[data-post]')?.dataset.post,
    href: element?.closest('main a')?.getAttribute('href') ?? undefined,
  };
}

const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** What had the focus, if it is on the page again: the card of the post, else the link. */
export function focusOf({ post, href }: PagePosition): HTMLElement | null {
  const selector =
    post === undefined ? href && `main a[href=${quoted(href)}]` : `[data-post=${quoted(post)}]`;
  return selector ? document.querySelector<HTMLElement>(selector) : null;
}
