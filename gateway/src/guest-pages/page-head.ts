import { closedDirections } from '@pulso/platform/text/direction';
import { cutText, graphemesOf } from '@pulso/platform/text/graphemes';
import { codePointLength } from '@pulso/platform/text/text-rules';
import { escapeHtml } from '../http/pages/escape-html.js';
import type { Facts } from './page-facts.js';

/** What a page says of itself to those who show links to it. */
export interface PageHead {
  type: 'website' | 'article' | 'profile';
  title: string;
  /** May be empty. */
  description: string;
  /** The page's one address, absolute. */
  url: string;
  /** It is a later part of a list, which has no canonical address (HTTP-42). */
  isPart?: true;
  /** The absolute address of a picture in JPEG or PNG: those who show links accept no SVG. */
  picture: string;
  /** The picture is a square, which is shown small. */
  isSmall?: true;
  /** The same for search engines, as JSON-LD. */
  facts?: Facts;
}

const SITE = 'Pulso';
/** Longer ones are cut by everyone who shows them. */
const DESCRIPTION_MAX = 200;

/** The HTML of the head: title, description, canonical address, Open Graph and Twitter card. */
export function headHtml(head: PageHead): string {
  const { type, title: given, description, url, isPart, picture, isSmall } = head;
  const title = closedDirections(given);
  const text = shortened(description, DESCRIPTION_MAX);
  const properties = [
    ['og:site_name', SITE],
    ['og:type', type],
    ['og:title', title],
    ...(text === '' ? [] : [['og:description', text]]),
    ['og:url', url],
    ['og:image', picture],
  ] as const;
  return [
    `<title>${escapeHtml(title === SITE ? SITE : `${title} · ${SITE}`)}</title>`,
    ...(text === '' ? [] : [`<meta name="description" content="${escapeHtml(text)}" />`]),
    ...(isPart ? [] : [`<link rel="canonical" href="${escapeHtml(url)}" />`]),
    ...properties.map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content!)}" />`),
    `<meta name="twitter:card" content="${isSmall ? 'summary' : 'summary_large_image'}" />`,
  ].join('\n    ');
}

/** Marks pile up on a letter without end; the longest emoji have some 20 code units. */
const MAX_UNITS_PER_CHARACTER = 20;

/**
 * The first `most` characters of a line, as they are seen, and "…" where there are more. The frontend cuts its titles in the
 * same way (UI-54): a title stays as it is when the page comes to life.
 */
export function beginningOf(line: string, most: number): string {
  if (line.length <= most) return line;
  let count = 0;
  for (const { index, segment } of graphemesOf(line)) {
    count += 1;
    if (count > most || index + segment.length > most * MAX_UNITS_PER_CHARACTER)
      return `${line.slice(0, index).trimEnd()}…`;
  }
  return line;
}

/**
 * One line of at most `max` code points, cut between words where it can be, and never within a grapheme. It turns nothing around
 * that stands behind it.
 */
export function shortened(text: string, max: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (codePointLength(line) <= max) return closedDirections(line);
  return `${closedDirections(cutText(line, max - 1).replace(/\s+\S{0,20}$/u, ''))}…`;
}
