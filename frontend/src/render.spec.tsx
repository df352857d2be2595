/** @jest-environment ../tools/shared-modules/node-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { aComment, aPost, aProfile, aReview } from '../test/a-post.js';
import { problem } from '../test/fake-gateway.js';
import type { PageData } from './browser/page-data.js';

// As in the build: see vite/server-form.ts.
for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })) {
  const form = /^(.+)\.server\.tsx?$/.exec(file)?.[1];
  if (form) jest.unstable_mockModule(`./${form}.js`, () => import(`./${form}.server.js`));
}
const { renderPage } = await import('./render.js');
// Beforehand: jest cannot load what shares modules with a page while it loads the page.
await import('./app/shell/side-column.js');

const NOW = Date.parse('2026-11-27T10:00:00.000Z');
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));
afterEach(() => void jest.restoreAllMocks());

type Answers = Readonly<Record<string, unknown>>;
const EMPTY = { items: [], nextCursor: null };
const aCoach = aProfile({ id: 'best', name: 'Beside', stats: { ...aProfile().stats, posts: 2 } });
/** For the column beside the page (UI-50). */
const BESIDE: Answers = { '/api/coaches': { ...EMPTY, items: [aCoach] } };

const aPageOf = (post: ReturnType<typeof aPost>, comments: unknown[] = []): Answers => ({
  [`/api/posts/${post.id}`]: post,
  [`/api/posts/${post.id}/comments`]: { items: comments, nextCursor: null },
});

function render(url: string, answers: Answers, signal = new AbortController().signal) {
  const calls: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    calls.push(pathname);
    await new Promise((resolve) => setImmediate(resolve));
    const cursor = searchParams.get('cursor');
    const asked = cursor === null ? pathname : `${pathname}?${cursor}`;
    const answer = { ...BESIDE, ...answers }[asked] ?? problem(404, 'not-found');
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return { calls, page: renderPage({ url, fetch, signal }) };
}

const dataOf = (data: string) => JSON.parse(data) as PageData;
const postIn = (data: string) => dataOf(data).queries.find(([[name]]) => name === 'posts')?.[1];

// Rule: UI-68
describe('a page that the server renders', () => {
  it('has its content, and all that it has read, each once', async () => {
    const post = aPost({ content: 'Five sets of five', commentCount: 1 });
    const { page, calls } = render('/post/p1', aPageOf(post, [aComment({ content: 'Well done' })]));
    const { html, data } = (await page)!;
    expect(html).toContain('Five sets of five');
    expect(html).toContain('Well done');
    expect(html).toContain('Log in to join the conversation');
    expect(html).not.toContain('<script');
    expect(html).not.toContain('role="status"');
    expect(html).toContain('New to Pulso?');
    expect(html).toContain('Beside');
    expect(calls.toSorted()).toEqual(['/api/coaches', '/api/posts/p1', '/api/posts/p1/comments']);
    const { at, queries } = dataOf(data);
    expect(at).toBe(NOW);
    expect(queries.map(([key]) => key.join(' ')).toSorted()).toEqual([
      'comments p1',
      'fresh-comments p1',
      'posts one p1',
      'profiles first',
    ]);
    expect(postIn(data)).toEqual(post);
  });

  it.each([
    [
      '/',
      {
        '/api/config': { marketing: { professionals: '500+', topCoachEarnings: '5k+' } },
        '/api/users/best/posts': { ...EMPTY, items: [aPost({ locked: true }), aPost()] },
      },
      'Five sets of five',
    ],
    [
      '/coaches',
      {
        '/api/coaches': { items: [aProfile({ name: 'Sarah' })], nextCursor: null },
        '/api/specialties': EMPTY,
      },
      'Sarah',
    ],
    [
      '/coaches/coach',
      { '/api/users/coach': aProfile({ name: 'Sarah' }), '/api/users/coach/posts': EMPTY },
      'Sarah',
    ],
    [
      '/profile/coach',
      { '/api/users/coach': aProfile({ name: 'Sarah' }), '/api/users/coach/posts': EMPTY },
      'Sarah',
    ],
    ['/coach', { '/api/users/by-username/coach': aProfile(), '/api/users/coach/posts': EMPTY }, undefined],
    [
      '/sarah',
      {
        '/api/users/by-username/sarah': aProfile({ username: 'sarah', name: 'Sarah' }),
        '/api/users/coach/posts': { ...EMPTY, items: [aPost()] },
      },
      'Five sets of five',
    ],
    [
      '/sarah?tab=reviews',
      {
        '/api/users/by-username/sarah': aProfile({ username: 'sarah' }),
        '/api/coaches/coach/reviews': {
          ...EMPTY,
          summary: { averageRating: 0, totalReviews: 0, distribution: {} },
        },
      },
      'Reviews',
    ],
  ])('is %s', async (url, answers, text) => {
    const page = await render(url, answers as Answers).page;
    if (text === undefined) expect(page).toBeUndefined();
    else expect(page?.html).toContain(text);
  });

  it.each([
    '/feed',
    '/login',
    '/signup',
    '/messages',
    '/unsubscribe?token=t',
    '/dashboard',
    '/a/b',
    '//evil.test',
  ])('is not %s, which asks for nothing', async (url) => {
    const { page, calls } = render(url, {});
    expect(await page).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it.each([
    ['is not there', {}],
    ['lacks a part', { '/api/posts/p1': aPost(), '/api/posts/p1/comments': problem(503, 'unavailable') }],
  ])('is left to the browser where it %s, without another try', async (_what, answers) => {
    const { page, calls } = render('/post/p1', answers as Answers);
    expect(await page).toBeUndefined();
    expect(new Set(calls).size).toBe(calls.length);
  });

  it.each([
    [
      '/',
      { '/api/config': { marketing: { professionals: '500+', topCoachEarnings: '5k+' } } },
      'How It Works',
    ],
    ['/post/p1', aPageOf(aPost({ content: 'Five sets' })), 'Five sets'],
  ])(
    'at %s is rendered without what stands beside it, where that does not come',
    async (url, answers, text) => {
      const { page, calls } = render(url, { ...answers, '/api/coaches': problem(503, 'unavailable') });
      const { html, data } = (await page)!;
      expect(html).toContain(text);
      expect(html).not.toMatch(/Beside|Who you will meet|role="status"/);
      expect(dataOf(data).queries.some(([key]) => key.includes('first'))).toBe(false);
      expect(calls.filter((path) => path === '/api/coaches')).toHaveLength(1);
    },
  );

  it('is rendered without the post inside, where that does not come', async () => {
    const { page } = render('/', {
      '/api/config': { marketing: { professionals: '500+', topCoachEarnings: '5k+' } },
      '/api/users/best/posts': problem(503, 'unavailable'),
    });
    expect((await page)!.html).toContain('Beside');
  });

  it('is left to the browser where its name has changed, which leads elsewhere', async () => {
    const answers = { '/api/users/by-username/old': aProfile({ username: 'new' }) };
    expect(await render('/old', answers).page).toBeUndefined();
  });

  it('is given up with its signal, whose calls end', async () => {
    const ending = new AbortController();
    let send!: (request: Request) => void;
    const first = new Promise<Request>((resolve) => (send = resolve));
    const fetch = (request: Request) => {
      send(request);
      return new Promise<Response>((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      );
    };
    const page = renderPage({ url: '/post/p1', fetch, signal: ending.signal });
    const { signal } = await first;
    ending.abort();
    expect(await page).toBeUndefined();
    expect(signal.aborted).toBe(true);
    expect(await render('/post/p1', aPageOf(aPost()), AbortSignal.abort()).page).toBeUndefined();
  });

  it('has no text that is taken for code, and its data as it was read', async () => {
    const content = '</script><script>alert(1)</script><!-- \u2028 $& "';
    const { html, data } = (await render('/post/p1', aPageOf(aPost({ content }))).page)!;
    expect(html).not.toContain('<script');
    expect(postIn(data)).toMatchObject({ content });
  });

  it('has nothing of another one that is rendered at the same time', async () => {
    const pages = Array.from({ length: 8 }, (_, index) => {
      const post = aPost({ id: `p${index}`, content: `Secret ${index}!` });
      return render(`/post/p${index}`, aPageOf(post, [aComment({ content: `Remark ${index}!` })]));
    });
    const rendered = await Promise.all(pages.map(({ page }) => page));
    for (const [index, page] of rendered.entries()) {
      const all = page!.html + page!.data;
      expect(all.match(/Secret \d/g)!.every((found) => found === `Secret ${index}`)).toBe(true);
      expect(all.match(/Remark \d/g)!.every((found) => found === `Remark ${index}`)).toBe(true);
      expect(pages[index]!.calls).toHaveLength(3);
    }
  });

  it('has times of its clock, in UTC, wherever the server stands', async () => {
    const at = (createdAt: string) => render('/post/p1', aPageOf(aPost({ createdAt }))).page;
    expect((await at('2026-11-27T09:55:00.000Z'))!.html).toContain('>5m ago<');
    expect((await at('2026-11-01T00:30:00.000Z'))!.html).toContain('>Nov 1<');
    expect((await at('2026-01-01T00:30:00.000Z'))!.html).toMatch(/title="Thu, Jan 1, 2026, 00:30">Jan 1</);
    expect((await at('2026-01-01T00:30:00.000Z'))!.html).not.toContain('2025');
  });
});

// Rule: UI-70, HTTP-42
describe('a long list that the server renders', () => {
  const summary = { averageRating: 5, totalReviews: 40, distribution: {} };
  const sarah = aProfile({ id: 'sarah', username: 'sarah' });
  const LISTS: [path: string, list: string, aside: Answers, item: (text: string) => unknown][] = [
    ['/coaches', '/api/coaches', { '/api/specialties': EMPTY }, (name) => aProfile({ id: name, name })],
    ['/sarah', '/api/users/sarah/posts', {}, (content) => aPost({ id: content, content })],
    ['/sarah?tab=reviews', '/api/coaches/sarah/reviews', {}, (comment) => aReview({ id: comment, comment })],
    [
      '/post/p1',
      '/api/posts/p1/comments',
      { '/api/posts/p1': aPost() },
      (text) => aComment({ id: text, content: text }),
    ],
  ];
  const answersOf = ([, list, aside, item]: (typeof LISTS)[number]): Answers => ({
    '/api/users/by-username/sarah': sarah,
    ...aside,
    [list]: { items: [item('of-the-first')], nextCursor: 'c.1', summary, mine: null },
    [`${list}?c.1`]: { items: [item('of-the-second')], nextCursor: null, summary, mine: null },
    [`${list}?of-another`]: problem(400, 'invalid-cursor'),
  });
  const at = (path: string, cursor: string) => `${path}${path.includes('?') ? '&' : '?'}after=${cursor}`;
  const linkTo = (address: string) => `href="${address.replaceAll('&', '&amp;')}"`;

  it.each(LISTS)('leads at %s to its next part, and that back', async (...list) => {
    const [path] = list;
    const first = (await render(path, answersOf(list)).page)!;
    expect(first.html).toContain('of-the-first');
    expect(first.html).toMatch(new RegExp(`<a[^>]*rel="next"[^>]*>`));
    expect(first.html).toContain(linkTo(at(path, 'c.1')));
    expect(first.html).not.toContain('From the beginning');
    const second = (await render(at(path, 'c.1'), answersOf(list)).page)!;
    expect(second.html).toContain('of-the-second');
    expect(second.html).not.toMatch(/of-the-first|rel="next"/);
    expect(second.html).toMatch(/<a[^>]*>From the beginning</);
    expect(second.html).toContain(linkTo(path));
    // What the browser goes on from.
    expect(second.data).toContain('"start":"c.1"');
  });

  it.each(LISTS)('begins at %s at its beginning with the cursor of another one', async (...list) => {
    const [path] = list;
    const page = (await render(at(path, 'of-another'), answersOf(list)).page)!;
    expect(page.html).toContain('of-the-first');
    expect(page.html).toContain(linkTo(at(path, 'c.1')));
  });
});
