import { createHash } from 'node:crypto';
import { escapeHtml } from '../http/pages/escape-html.js';
import type { HttpErrorCode } from '../errors/error-table.js';

/**
 * Tells the page that opened the window, and closes it. It has no other way to that page: its `Cross-Origin-Opener-Policy` has cut
 * the two off from each other when the window went to the provider.
 */
const SCRIPT = `const { error } = document.documentElement.dataset;
new BroadcastChannel('pulso.openid').postMessage(error ? { error } : {});
window.close();
`;

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; text-align: center; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#faf8f5, #1a1816); color: light-dark(#26221f, #ece7e1); }
a { color: inherit; }
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but its own script and style. */
export const CALLBACK_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  // The address has the provider's code, spent as it is.
  'referrer-policy': 'no-referrer',
} as const;

/** Where a failed sign-in is shown, where it was not begun in a window of its own. */
export const failedAt = (code: HttpErrorCode): string => `/login?error=${code}`;

/** The end of a sign-in in a window of its own; it has neither token nor name (ACCT-28). Who can read it has closed no window. */
export function callbackPage(error: HttpErrorCode | undefined): string {
  const [attribute, title, link, linkText] = error
    ? [` data-error="${escapeHtml(error)}"`, 'The sign-in has failed', failedAt(error), 'Back to the sign-in']
    : ['', 'You are signed in', '/feed', 'Go to Pulso'];
  return `<!doctype html>
<html lang="en"${attribute}>
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="robots" content="noindex" />
<title>${title} · Pulso</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>You can close this window. <a href="${escapeHtml(link)}">${linkText}</a></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
