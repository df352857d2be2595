import { html, type Html } from './html.js';

export interface PageOptions {
  title: string;
  /** Wider, for tables. */
  isWide?: boolean;
}

/** A whole page. Each says that no money is taken. */
export const layout = ({ title, isWide = false }: PageOptions, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/_assets/style.css" />
      </head>
      <body>
        <p class="simulator" role="note">
          <strong>Stripe simulator.</strong> No money is taken. Do not enter a real card.
        </p>
        <main class="${isWide ? 'wide' : 'narrow'}">${body}</main>
      </body>
    </html>`.text;

/** A message at the top of a page. */
export const notice = (text: string | undefined, kind: 'error' | 'good' = 'error'): Html | undefined =>
  text === undefined
    ? undefined
    : html`<p class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`;

/** A form of one button. */
export const button = (
  action: string,
  label: string,
  { fields = {}, look = 'plain' }: { fields?: Record<string, string>; look?: 'plain' | 'main' } = {},
): Html =>
  html`<form method="post" action="${action}">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}<button class="${look}">${label}</button>
  </form>`;

/** An amount in minor units, such as `MX$400.00`. */
export function money(minor: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(minor / 100);
}

/** A day, such as `November 28, 2026`. @param at in seconds */
export const day = (at: number): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(at * 1000);

/** A moment, such as `2026-11-28 00:25:14`, in UTC. @param at in seconds */
export const moment = (at: number): string =>
  new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ');
