/** Where somebody was on a page (UI-52): the scroll position, and what had the focus. */
export interface Place {
  /** In CSS px. */
  y: number;
  /** The post whose card had the focus, or had a control with it. */
  post?: string;
  /** The address of the link that had the focus. */
  href?: string;
}

const KEY = 'pulso.places';
/** The newest ones are kept, also over a reload of the tab. */
const KEPT = 50;

const places = new Map<string, Place>(stored());

function stored(): [string, Place][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, Place][];
  } catch {
    // No access to storage: places last until the page is closed.
    return [];
  }
}

/** @param entry a history entry: its key and its address, as every first page of a tab has the same key */
export const placeAt = (entry: string): Place | undefined => places.get(entry);

export function rememberPlace(entry: string, place: Place): void {
  // The last one changed is the last one in the map.
  places.delete(entry);
  places.set(entry, place);
  const oldest = places.keys().next().value;
  if (places.size > KEPT && oldest !== undefined) places.delete(oldest);
}

/** For the next page load: the tab is about to be hidden or left. */
export function storePlaces(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...places]));
  } catch {
    // No access to storage, or it is full.
  }
}

/** The place on the page right now; `element` has the focus, or was pressed, which not every browser focuses. */
export function placeWith(element: Element | null): Place {
  return {
    y: window.scrollY,
    post: element?.closest<HTMLElement>('[data-post]')?.dataset.post,
    href: element?.closest('main a')?.getAttribute('href') ?? undefined,
  };
}

const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** What had the focus, if it is on the page again: the card of the post, else the link. */
export function focusOf({ post, href }: Place): HTMLElement | null {
  const selector =
    post === undefined ? href && `main a[href=${quoted(href)}]` : `[data-post=${quoted(post)}]`;
  return selector ? document.querySelector<HTMLElement>(selector) : null;
}
