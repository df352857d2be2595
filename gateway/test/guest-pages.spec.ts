import { notFound, unavailable } from '@pulso/platform/errors/domain-error';
import { gate } from '@pulso/platform/testing/gate';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import type { Post, PostPage } from '../src/posts/post.dto.js';
import type { PageRequest } from '../src/http/pages/render-bundle.js';
import { createRegistry } from '@pulso/platform/telemetry/metrics';
import { aPost, aUser, OTHER_ID, POST_ID, USER_ID } from './support/fake-clients.js';
import { type FrontendBuild, frontendBuild, INDEX } from './support/frontend-build.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const ORIGIN = 'http://gateway';
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Shows the texts of the posts that a page is about, as the frontend's own bundle does. */
async function render({ url, fetch, signal }: PageRequest) {
  const ask = async (path: string) => {
    const answer = await fetch(new Request(ORIGIN + path, { signal }));
    return answer.ok ? ((await answer.json()) as unknown) : undefined;
  };
  const [, first, second] = new URL(ORIGIN + url).pathname.split('/');
  if (first === '' || first === 'coaches') {
    const coaches = await ask('/api/coaches');
    return coaches ? { html: '<p>coaches</p>', data: JSON.stringify(coaches) } : undefined;
  }
  const post = first === 'post';
  const user =
    second === undefined ? ((await ask(`/api/users/by-username/${first}`)) as { id: string }) : undefined;
  const found = await ask(post ? `/api/posts/${second}` : `/api/users/${user?.id ?? second}/posts`);
  if (!found) return undefined;
  const posts = post ? [found as Post] : (found as PostPage).items;
  return {
    html: posts.map(({ content }) => `<p>${escape(content)}</p>`).join(''),
    data: JSON.stringify(posts),
  };
}

let build: FrontendBuild;
let gateway: TestGateway;

beforeAll(async () => {
  build = frontendBuild(render);
  gateway = await startTestGateway({
    STATIC_DIR: build.directory,
    guestPageLimits: { keptMs: 0, renderMs: 60_000 },
  });
});
beforeEach(() => {
  gateway.resetServices();
  build.render = render;
});
afterAll(async () => {
  await gateway?.close();
  build?.remove();
});

const get = async (path: string, headers: Record<string, string> = {}, at = gateway, method = 'GET') => {
  const response = await at.call(method, path, { token: null, headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
/** The gateway of one test, whose pages come from `build`. */
const another = (options: Parameters<typeof startTestGateway>[0] = {}) =>
  startGatewayForThisTest({
    STATIC_DIR: build.directory,
    ...options,
    guestPageLimits: { renderMs: 60_000, ...options.guestPageLimits },
  });
/** Of pages: the gateway asks for ended sessions by itself. */
const callsOf = (at: TestGateway) => at.calls.filter(({ method }) => method !== 'listEndedSessions');
const rpcs = (at = gateway) =>
  callsOf(at)
    .map(({ method }) => method)
    .sort();
const blockOf = (html: string, attributes: string) =>
  JSON.parse(html.split(`<script ${attributes}>`)[1]!.split('</script>')[0]!) as Record<string, unknown>;
const factsOf = (html: string) => blockOf(html, 'type="application/ld+json"');
const dataOf = (html: string) => blockOf(html, 'type="application/json" id="page-data"');

// Rule: HTTP-38
describe('the page of a guest', () => {
  it.each([
    [`/post/${POST_ID}`, ['getPost']],
    ['/ana-torres', ['getRelations', 'getStandings', 'getUserByUsername', 'getUsersStats', 'listUserPosts']],
    [`/profile/${USER_ID}`, ['getRelations', 'getStandings', 'getUser', 'getUsersStats', 'listUserPosts']],
  ])('at %s has its content, its head and its data of the same calls', async (path, asked) => {
    gateway.posts.getPost = async () => aPost({ content: 'Five sets of five' });
    gateway.posts.listUserPosts = async () => ({
      items: [aPost({ content: 'Five sets of five' })],
      nextCursor: '',
    });
    const { status, html, headers } = await get(path);
    expect(status).toBe(200);
    expect(html).toContain('<div id="root"><p>Five sets of five</p></div>');
    expect(html).toMatch(/<title>Ana Torres.* · Pulso<\/title>/);
    expect(html).toContain('<link rel="canonical"');
    expect(dataOf(html)).toMatchObject([{ content: 'Five sets of five' }]);
    expect(rpcs()).toEqual(asked);
    expect(headers.get('vary')).toBe('accept-encoding, cookie');
    expect(headers.get('cache-control')).toBe('public, no-cache');
  });

  it.each(['/', '/coaches', `/coaches/${USER_ID}`])('at %s is rendered, too', async (path) => {
    gateway.identity.getUser = async () => aUser({ isCoach: true });
    expect((await get(path)).html).toContain('data-rendered');
  });

  it('reads its data as somebody who is not signed in, whoever asks', async () => {
    await gateway.call('GET', `/post/${POST_ID}`, {
      headers: { cookie: 'pulso_member=0; other=pulso_member' },
    });
    expect(callsOf(gateway).map(({ context }) => [context!.caller, context!.authorization])).toEqual([
      [null, undefined],
    ]);
  });

  it('has the first post in its first 14 KB', async () => {
    const long = 'A long text. '.repeat(400).trim();
    gateway.posts.listUserPosts = async () => ({
      items: [
        aPost({ content: 'First of all' }),
        ...Array.from({ length: 19 }, () => aPost({ content: long })),
      ],
      nextCursor: '',
    });
    const { html } = await get('/ana-torres');
    expect(html.length).toBeGreaterThan(100_000);
    expect(html.slice(0, 14_336)).toContain('First of all');
  });

  it('can be hidden in neither its blocks nor its text', async () => {
    const nasty =
      '</script><script>alert(1)</script><!-- \u2028 </body><title>x</title> $& <div id="root"></div>';
    gateway.posts.getPost = async () => aPost({ content: nasty });
    build.render = async () => ({ html: `<p>${escape(nasty)}</p>`, data: JSON.stringify({ nasty }) });
    const { html } = await get(`/post/${POST_ID}`);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html.match(/<\/body>|<title>|<div id="root"/g)).toEqual(['<title>', '<div id="root"', '</body>']);
    expect(html).not.toContain('<!--');
    expect(html.split('<script ').slice(1).join('')).not.toContain('\u2028');
    expect(dataOf(html)).toEqual({ nasty });
    expect(factsOf(html)['text']).toBe(nasty);
  });

  it('is answered 304 where it is the same', async () => {
    const etag = (await get('/ana-torres')).headers.get('etag')!;
    const again = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await get('/ana-torres', again)).status).toBe(304);
    gateway.posts.listUserPosts = async () => ({ items: [aPost({ content: 'Another' })], nextCursor: '' });
    expect((await get('/ana-torres', again)).status).toBe(200);
  });

  it('is answered to HEAD without its body', async () => {
    const { headers } = await get('/ana-torres', {});
    const head = await get('/ana-torres', {}, gateway, 'HEAD');
    expect([head.status, head.html, head.headers.get('etag')]).toEqual([200, '', headers.get('etag')]);
  });

  it.each(['br', 'gzip'])('is compressed by %s, once', async (encoding) => {
    const { html, headers } = await get('/ana-torres', { 'accept-encoding': encoding });
    expect(headers.get('content-encoding')).toBe(encoding);
    expect(html).toContain('data-rendered');
    expect(
      (await get('/ana-torres', { 'accept-encoding': 'identity' })).headers.get('content-encoding'),
    ).toBeNull();
  });

  it.each(['/nobody-here', `/profile/${OTHER_ID}`, `/post/${OTHER_ID}`, '/a/b/c', `/coaches/${USER_ID}`])(
    'is 404 at %s, where nobody is, and not rendered',
    async (path) => {
      gateway.identity.getUser = async ({ id }) =>
        id === USER_ID ? aUser({ isCoach: false }) : Promise.reject(notFound());
      const { status, html } = await get(path);
      expect([status, html]).toEqual([404, INDEX]);
    },
  );

  // Rule: HTTP-41
  it('leads from a former name to the present one, for guests and members, and is not kept', async () => {
    const at = await another({ guestPageLimits: { keptMs: 60_000 } });
    at.identity.getUserByUsername = async () => aUser({ username: 'ana-new' });
    for (const headers of [{}, { cookie: 'pulso_member=1' }] as Record<string, string>[]) {
      const answer = await get('/ana-torres?tab=reviews', headers, at);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/ana-new?tab=reviews']);
    }
    at.identity.getUserByUsername = async () => aUser();
    expect((await get('/ana-torres?tab=reviews', {}, at)).html).toContain('data-rendered');
  });

  it.each(['/render.mjs', '/render.mjs.br'])('is rendered by what nobody gets (%s)', async (path) => {
    const { status, html } = await get(path);
    expect([status, html]).toEqual([404, expect.stringContaining('"not-found"')]);
  });
});

// Rule: HTTP-38
describe('a page that is not rendered', () => {
  const plainWithHead = expect.stringMatching(/Ana Torres \(@ana-torres\)[^]*<div id="root"><\/div>/);

  // Rule: ACCT-40
  it('is a member’s: one call for its head, and nothing else', async () => {
    const { html, headers } = await get('/ana-torres', { cookie: 'a=b; pulso_member=1' });
    expect(html).toEqual(plainWithHead);
    expect(html).not.toContain('application/');
    expect(rpcs()).toEqual(['getUserByUsername']);
    expect(headers.get('vary')).toBe('accept-encoding, cookie');
    expect((await get('/', { cookie: 'pulso_member=1' })).html).toContain('<div id="root"></div>');
  });

  it('comes with its head when the bundle has nothing to show, fails or asks for what it must not', async () => {
    build.render = async () => undefined;
    expect((await get('/ana-torres')).html).toEqual(plainWithHead);
    build.render = () => Promise.reject(new Error('a defect'));
    expect((await get('/ana-torres')).html).toEqual(plainWithHead);
    for (const refused of [
      new Request(`${ORIGIN}/api/posts`, { method: 'POST', body: '{}' }),
      new Request(`${ORIGIN}/media/a/b`),
    ]) {
      build.render = async ({ fetch }) => ({ html: await (await fetch(refused)).text(), data: '{}' });
      expect((await get('/ana-torres')).html).toEqual(plainWithHead);
    }
  });

  it('comes without anything while a service is down, and is never missing', async () => {
    gateway.identity.getUserByUsername = () => Promise.reject(unavailable());
    expect(await get('/ana-torres')).toMatchObject({ status: 200, html: INDEX });
  });

  // Rule: LIMIT-15
  it('comes when its time is over', async () => {
    const at = await another({ guestPageLimits: { renderMs: 20 } });
    let ended = false;
    build.render = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended = true;
          reject(new Error('ended'));
        });
      });
    expect((await get('/ana-torres', {}, at)).html).toEqual(plainWithHead);
    expect(ended).toBe(true);
  });

  // Rule: LIMIT-15
  it('comes while as many as may be are being rendered, also where they do not end in time', async () => {
    const at = await another({ MAX_PAGE_RENDERS: 2, guestPageLimits: { renderMs: 60_000 } });
    const goesOn = gate('the pages');
    let begun = 0;
    build.render = async () => {
      begun += 1;
      await goesOn.opened;
      return { html: 'rendered', data: '{}' };
    };
    const under = ['/', '/coaches'].map((path) => get(path, {}, at));
    await until(() => begun === 2, { what: 'as many pages as may be' });
    expect((await get('/ana-torres', {}, at)).html).toEqual(plainWithHead);
    expect((await get('/?more', {}, at)).html).toContain('<div id="root"></div>');
    goesOn.open();
    for (const page of under) expect((await page).html).toContain('rendered');
    expect((await get('/ana-torres', {}, at)).html).toContain('rendered');
  });

  // Rule: LIMIT-15
  it('comes where the address is over-long or nothing is to be rendered', async () => {
    expect((await get(`/ana-torres?q=${'x'.repeat(2_560)}`)).html).toEqual(plainWithHead);
    const at = await another({ MAX_PAGE_RENDERS: 0 });
    expect((await get('/ana-torres', {}, at)).html).toEqual(plainWithHead);
  });

  it('comes to an address over its limit, whose calls count', async () => {
    const at = await another({ RATE_LIMIT_FACTOR: 0.005, guestPageLimits: { keptMs: 0 } });
    // Of 6 hits the page takes one and its calls two.
    expect((await get('/ana-torres', {}, at)).html).toContain('data-rendered');
    expect((await get('/ana-torres', {}, at)).html).toContain('data-rendered');
    expect((await get('/ana-torres', {}, at)).html).toEqual(INDEX);
  });
});

// Rule: LIMIT-15
describe('a page that many ask for', () => {
  it('is made once for all who ask meanwhile, and kept for a moment', async () => {
    const at = await another({ guestPageLimits: { keptMs: 60_000 } });
    const goesOn = gate('the page');
    let made = 0;
    build.render = async () => {
      made += 1;
      await goesOn.opened;
      return { html: 'rendered', data: '{}' };
    };
    const first = get('/ana-torres', {}, at);
    await until(() => made === 1, { what: 'the page' });
    const others = [1, 2, 3].map(() => get('/ana-torres', {}, at));
    const member = await get('/ana-torres', { cookie: 'pulso_member=1' }, at);
    expect(member.html).not.toContain('rendered');
    goesOn.open();
    for (const page of [first, ...others]) expect((await page).html).toContain('rendered');
    expect((await get('/ana-torres', {}, at)).html).toContain('rendered');
    expect(made).toBe(1);
    await get('/ana-torres?tab=reviews', {}, at);
    expect(made).toBe(2);
  });

  it.each([{ pages: 1 }, { bytes: 500 }])('is kept within %j', async (limits) => {
    const at = await another({ guestPageLimits: { keptMs: 60_000, ...limits } });
    let made = 0;
    build.render = async () => ({ html: `${(made += 1)} `.repeat(10), data: '{}' });
    for (const path of ['/', '/', '/coaches', '/coaches']) await get(path, {}, at);
    expect(made).toBe('pages' in limits ? 3 : 4);
  });

  it('is not kept where nobody is, nor where its data did not come', async () => {
    const at = await another({ guestPageLimits: { keptMs: 60_000 } });
    expect((await get('/nobody-here', {}, at)).status).toBe(404);
    at.identity.getUserByUsername = () => Promise.reject(unavailable());
    expect((await get('/nobody-here', {}, at)).html).toBe(INDEX);
    at.identity.getUserByUsername = async () => aUser({ username: 'nobody-here' });
    expect((await get('/nobody-here', {}, at)).html).toContain('data-rendered');
  });

  it('goes on while one of them waits, and ends with its calls when all have left', async () => {
    const registry = createRegistry('gateway');
    const at = await another({ registry, guestPageLimits: { renderMs: 60_000 } });
    let ended = 0;
    at.posts.getPost = () =>
      new Promise((_resolve, reject) => {
        at.calls.at(-1)!.context!.cancellation.onEnd((reason) => {
          ended += 1;
          reject(reason);
        });
      });
    const leave = [new AbortController(), new AbortController()];
    onTestEnd(() => leave.forEach((one) => one.abort()));
    const visit = ({ signal }: AbortController) => {
      const page = fetch(`${at.url}/post/${POST_ID}`, { signal });
      page.catch(() => undefined);
      return page;
    };
    const first = visit(leave[0]!);
    await until(() => rpcs(at).length === 1, { what: 'the call of the page' });
    void visit(leave[1]!);
    const joined = async () => (await registry.metrics()).includes('outcome="shared"');
    await until(joined, { what: 'the second visitor' });
    leave[0]!.abort();
    await expect(first).rejects.toThrow();
    await get('/feed', {}, at);
    expect(ended).toBe(0);
    leave[1]!.abort();
    await until(() => ended === 1, { what: 'the end of the call' });
    at.posts.getPost = async () => aPost({ content: 'Begun anew' });
    expect((await get(`/post/${POST_ID}`, {}, at)).html).toContain('Begun anew');
  });

  it('is counted by what came of it', async () => {
    const registry = createRegistry('gateway');
    const at = await another({ registry, guestPageLimits: { keptMs: 60_000 } });
    await get('/', {}, at);
    await get('/', {}, at);
    await get('/nobody-here', {}, at);
    at.identity.getUserByUsername = async () => aUser({ username: 'ana-new' });
    await get('/ana-torres', {}, at);
    const lines = (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('pulso_guest_pages_total'));
    expect(lines.map((line) => /outcome="(\w+)".* (\d+)$/.exec(line)!.slice(1))).toEqual([
      ['rendered', '1'],
      ['shared', '1'],
      ['missing', '1'],
      ['moved', '1'],
    ]);
  });
});
