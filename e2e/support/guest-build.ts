import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const INDEX = `<!doctype html>
<html lang="en"><head><title>Pulso</title></head><body><div id="root"></div></body></html>`;
const PAGES = [
  '/',
  '/coaches',
  '/feed',
  '/coaches/:coachId',
  '/profile/:userId',
  '/post/:postId',
  '/:username',
];

/** Shows name and posts of whom or what a page is about, as they come from the API. */
const RENDER = `
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
export async function renderPage({ url, fetch, signal }) {
  const ask = async (path) => {
    const answer = await fetch(new Request('http://gateway' + path, { signal }));
    return answer.ok ? answer.json() : undefined;
  };
  const [, first, second] = new URL('http://gateway' + url).pathname.split('/');
  const shown = (items) => ({
    html: items.map(({ author, content }) => '<p>' + escape(author.name + ': ' + content) + '</p>').join(''),
    data: JSON.stringify(items),
  });
  if (first === 'post') {
    const post = await ask('/api/posts/' + second);
    return post && shown([post]);
  }
  const user = await ask(second ? '/api/users/' + second : '/api/users/by-username/' + first);
  const posts = user && (await ask('/api/users/' + user.id + '/posts'));
  return posts && shown(posts.items);
}
`;

/** A build of the frontend whose pages of guests are rendered, for both profiles. */
export function guestBuild(): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'pulso-guest-build-'));
  const file = (name: string, content: string) => writeFileSync(join(directory, name), content);
  file('index.html', INDEX);
  file(
    'page-links.json',
    JSON.stringify(Object.fromEntries(PAGES.map((path) => [path, '</a.js>; rel=modulepreload']))),
  );
  file('render.mjs', RENDER);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
