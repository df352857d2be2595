import type { AccountTexts } from './texts.js';

/** The first that fits: a browser names those that it descends from as well. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPiOS|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
];

const PHONES: ReadonlySet<string> = new Set(['iPhone', 'iPad', 'Android']);

/** What a program that is no browser calls itself: "curl/8.5.0". */
const PRODUCT = /^([\w.-]{1,40})(?:\/|$)/;

const firstOf = (list: typeof BROWSERS, userAgent: string): string | undefined =>
  list.find(([, pattern]) => pattern.test(userAgent))?.[0];

/**
 * A device in plain words, "Chrome on Windows", by what its browser says of itself (the `User-Agent` header). Browsers pretend, and
 * say less and less: it is a help to the owner of the devices and proves nothing.
 */
export function deviceName(userAgent: string, { sessions }: AccountTexts['settings']): string {
  const browser = firstOf(BROWSERS, userAgent);
  const system = firstOf(SYSTEMS, userAgent);
  if (browser && system) return sessions.on(browser, system);
  const product = userAgent.startsWith('Mozilla/') ? undefined : PRODUCT.exec(userAgent)?.[1];
  return browser ?? system ?? product ?? sessions.unknown;
}

export const isPhone = (userAgent: string): boolean => PHONES.has(firstOf(SYSTEMS, userAgent) ?? '');
