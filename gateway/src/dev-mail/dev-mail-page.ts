import { escapeHtml } from '../http/pages/escape-html.js';
import type { DevMail } from './dev-mailbox.js';

const STYLE = `
  :root { color-scheme: light dark; --ink: #26221f; --quiet: #6b635d; --paper: #faf8f5; --card: #fff; --line: #e6e0d9; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #ece7e1; --quiet: #a89f97; --paper: #1a1816; --card: #23201d; --line: #3a3530; }
  }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 720px; margin: 0 auto; padding: 24px 16px; }
  h1 { font-size: 24px; margin: 0 0 4px; }
  p { color: var(--quiet); margin: 0 0 16px; }
  details { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: 0 0 12px; }
  summary { cursor: pointer; padding: 12px 16px; overflow-wrap: anywhere; }
  summary span { color: var(--quiet); display: block; font-size: 14px; }
  iframe { border: 0; border-top: 1px solid var(--line); display: block; height: 560px; width: 100%; }
  pre { border-top: 1px solid var(--line); margin: 0; padding: 12px 16px; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** The page `/dev/mail`: each mail as its receiver sees it, and its text part (MAIL-7). */
export function devMailPage(mails: readonly DevMail[], to: string | undefined): string {
  const those = to === undefined ? '' : ` to ${escapeHtml(to)}`;
  const about =
    mails.length === 0
      ? `No mail${those} yet. It arrives here a moment after what it tells of; reload the page.`
      : `What Pulso has sent${those}, newest first. Nothing leaves this machine.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Mail · Pulso</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Mail</h1>
<p>${about}</p>
${mails.map(oneMail).join('\n')}
</main>
</body>
</html>
`;
}

function oneMail({ id, to, subject, text, sentAt }: DevMail, index: number): string {
  const when = sentAt.toISOString();
  return `<details${index === 0 ? ' open' : ''}>
<summary>${escapeHtml(subject)}<span>${escapeHtml(to)} · <time datetime="${when}">${when.slice(0, 19).replace('T', ' ')} UTC</time></span></summary>
<iframe loading="lazy" src="/dev/mail/${encodeURIComponent(id)}" title="${escapeHtml(subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"></iframe>
<pre>${escapeHtml(text)}</pre>
</details>`;
}

/** A mail's HTML, whose links open outside of the frame. */
export const framedMail = ({ html }: DevMail): string =>
  html.replace(/<head([^>]*)>/i, '<head$1><base target="_top" />');
