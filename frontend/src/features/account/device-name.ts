import type { AccountTexts } from './texts.js';

type Names = readonly (readonly [name: string, pattern: RegExp])[];

/** The first that fits: a browser names those that it descends from as well. */
const BROWSERS: Names = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPiOS|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];

const SYSTEMS: Names = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
];

const PHONES: ReadonlySet<string> = new Set(['iPhone', 'iPad', 'Android']);

interface DeviceNames {
  /** Each is empty where the device does not tell. */
  browser: string;
  system: string;
}

/**
 * By what a device's browser says of itself (the `User-Agent` header): known names alone, as whoever signs in chooses these words. Mails
 * name devices in the same way; both are tested by `proto/test/devices.json`.
 */
export function deviceNames(userAgent: string): DeviceNames {
  const nameIn = (names: Names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? '';
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}

/** "Chrome on Windows". */
export function deviceName(userAgent: string, { sessions }: AccountTexts['settings']): string {
  const { browser, system } = deviceNames(userAgent);
  return browser && system ? sessions.on(browser, system) : browser || system || sessions.unknown;
}

export const isPhone = (userAgent: string): boolean => PHONES.has(deviceNames(userAgent).system);
