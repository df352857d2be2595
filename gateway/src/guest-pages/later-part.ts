import type { PageHead } from './page-head.js';

/** The frontend has the same in `list-start.tsx`. */
const AFTER = 'after';

/**
 * Whether a page begins its list after the cursor that its query names (HTTP-42). `query` begins with its question mark, or is
 * empty.
 */
export const isLaterPart = (query: string): boolean => Boolean(new URLSearchParams(query).get(AFTER));

/**
 * What a later part of a list says of itself. Its address changes with the list, so it is nothing to be found or kept: it has no
 * canonical address, and what it is about is told by the page that the list begins on.
 */
export const laterPart = ({ facts: _facts, ...head }: PageHead): PageHead => ({ ...head, isPart: true });
