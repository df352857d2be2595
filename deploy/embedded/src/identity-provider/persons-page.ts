import { escapeHtml } from '@pulso/gateway/http/pages/escape-html';
import type { Person } from './persons.js';

const STYLE = `
  :root { color-scheme: light dark; --ink: #26221f; --quiet: #6b635d; --paper: #faf8f5; --card: #fff; --line: #e6e0d9; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #ece7e1; --quiet: #a89f97; --paper: #1a1816; --card: #23201d; --line: #3a3530; }
  }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 440px; margin: 0 auto; padding: 24px 16px; }
  h1 { font-size: 24px; margin: 0 0 4px; }
  p, small { color: var(--quiet); }
  p { margin: 0 0 16px; }
  ul { list-style: none; margin: 0 0 16px; padding: 0; }
  li a, form { background: var(--card); border: 1px solid var(--line); border-radius: 12px; display: block; margin: 0 0 8px; padding: 12px 16px; }
  a { color: inherit; }
  li a { text-decoration: none; }
  small { display: block; overflow-wrap: anywhere; }
  input[type='email'], button { box-sizing: border-box; font: inherit; margin: 4px 0 8px; padding: 8px; width: 100%; }
`;

/** The page on which a developer chooses who signs in. Each choice is a link to the same path with a query. */
export const personsPage = (persons: readonly Person[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Choose an account</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Choose an account</h1>
<p>This stands in for Google while you develop. It runs on this machine alone, and asks for no password.</p>
<ul>
${persons.map(onePerson).join('\n')}
</ul>
<form method="get">
<label>Another address <input type="email" name="email" required /></label>
<label><input type="checkbox" name="verified" value="1" /> The provider has verified it</label>
<button>Sign in</button>
</form>
<p><a href="?cancel=1">Cancel</a></p>
</main>
</body>
</html>
`;

const onePerson = ({ name, email, emailVerified, shows }: Person): string =>
  `<li><a href="?${escapeHtml(choiceOf(email, emailVerified))}">${escapeHtml(name)}<small>${escapeHtml(email)}${emailVerified ? '' : ', not verified'}</small><small>${escapeHtml(shows)}</small></a></li>`;

const choiceOf = (email: string, emailVerified: boolean): string =>
  new URLSearchParams({ email, ...(emailVerified && { verified: '1' }) }).toString();
