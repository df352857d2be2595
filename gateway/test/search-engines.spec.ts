import { unavailable } from '@pulso/platform/errors/domain-error';
import { gate } from '@pulso/platform/testing/gate';
import { until } from '@pulso/platform/testing/until';
import { aUser } from './support/fake-clients.js';
import { type FrontendBuild, frontendBuild } from './support/frontend-build.js';
import { startGatewayForThisTest, type TestGateway } from './support/start-test-gateway.js';

let build: FrontendBuild;
beforeAll(() => void (build = frontendBuild()));
afterAll(() => build.remove());

type Limits = NonNullable<Parameters<typeof startGatewayForThisTest>[0]>['sitemapLimits'];
const start = (sitemapLimits: Limits = {}) =>
  startGatewayForThisTest({ STATIC_DIR: build.directory, sitemapLimits: { pauseMs: 0, ...sitemapLimits } });
const get = (at: TestGateway, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  at.call(method, path, { token: null, headers });
const addresses = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
const calls = (at: TestGateway) => at.calls.filter(({ method }) => method === 'listCoaches');
const asked = (at: TestGateway) => calls(at).length;
const HOUR = 60 * 60_000;

/** A directory of so many coaches, in pages as asked for. */
const directory =
  (count: number) =>
  async ({ cursor, limit }: { cursor: string; limit: number }) => {
    const from = Number(cursor);
    const to = Math.min(count, from + limit);
    const items = Array.from({ length: to - from }, (_one, index) =>
      aUser({ username: `coach-${from + index}` }),
    );
    return { items, nextCursor: to < count ? String(to) : '' };
  };

// Rule: HTTP-39
describe('search engines', () => {
  it('are told what not to read and where the sitemap is', async () => {
    const robots = await get(await start(), '/robots.txt');
    expect(robots.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const lines = (await robots.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['User-agent: *', 'Disallow: /api/', 'Allow: /api/avatars/']),
    );
    expect(lines).toContain('Sitemap: https://pulso.example/sitemap.xml');
  });

  it.each(['/feed', '/challenges'])('do not list %s, which asks for a login', async (path) => {
    expect((await get(await start(), path)).headers.get('x-robots-tag')).toBe('noindex');
  });

  it.each(['/', '/coaches', '/ana-torres'])('list %s', async (path) => {
    expect((await get(await start(), path)).headers.get('x-robots-tag')).toBeNull();
  });
});

// Rule: HTTP-39
describe('the sitemap', () => {
  it('has the pages of the site and its coaches, as a visitor sees them', async () => {
    const at = await start({ piece: 2 });
    at.identity.listCoaches = directory(3);
    const sitemap = await get(at, '/sitemap.xml');
    expect([sitemap.status, sitemap.headers.get('content-type')]).toEqual([
      200,
      'application/xml; charset=utf-8',
    ]);
    const paths = ['/', '/coaches', '/coach-0', '/coach-1', '/coach-2'];
    expect(addresses(await sitemap.text())).toEqual(paths.map((path) => `https://pulso.example${path}`));
    expect(calls(at).map(({ context }) => context!.caller)).toEqual([null, null]);
  });

  it.each(['gzip', 'br', 'identity'])('comes as %s', async (encoding) => {
    const at = await start();
    at.identity.listCoaches = directory(50);
    const sitemap = await get(at, '/sitemap.xml', { 'accept-encoding': encoding });
    expect(sitemap.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(addresses(await sitemap.text())).toHaveLength(52);
    const etag = sitemap.headers.get('etag')!;
    const again = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await get(at, '/sitemap.xml', again)).status).toBe(304);
    expect((await get(at, '/sitemap.xml', { 'accept-encoding': encoding }, 'HEAD')).status).toBe(200);
  });

  it('has the public posts behind the coaches, with the time of their last change, as far as it looks', async () => {
    const at = await start({ piece: 2, posts: 3 });
    at.identity.listCoaches = directory(1);
    const changedAt = Date.parse('2026-11-27T10:00:00.500Z');
    at.posts.listPublicPosts = async ({ cursor, limit }) => ({
      // Of as many as were looked at one is public.
      items: [{ id: `post-${cursor}`, changedAt: changedAt + Number(cursor) }],
      nextCursor: String(Number(cursor) + limit),
    });
    const xml = await (await get(at, '/sitemap.xml')).text();
    expect(xml.match(/<url>.*<\/url>/g)!.slice(2)).toEqual([
      '<url><loc>https://pulso.example/coach-0</loc></url>',
      '<url><loc>https://pulso.example/post/post-</loc><lastmod>2026-11-27T10:00:00.500Z</lastmod></url>',
      '<url><loc>https://pulso.example/post/post-2</loc><lastmod>2026-11-27T10:00:00.502Z</lastmod></url>',
    ]);
  });

  it('is made once an hour, whoever asks, and an older one serves meanwhile', async () => {
    const at = await start();
    at.identity.listCoaches = directory(1);
    const texts = await Promise.all([1, 2, 3].map(async () => (await get(at, '/sitemap.xml')).text()));
    expect(new Set(texts).size).toBe(1);
    at.clock.advance(HOUR - 1);
    await get(at, '/sitemap.xml');
    expect(asked(at)).toBe(1);
    at.clock.advance(1);
    const goesOn = gate('the directory');
    at.identity.listCoaches = async (request) => {
      await goesOn.opened;
      return directory(2)(request);
    };
    expect(await (await get(at, '/sitemap.xml')).text()).toBe(texts[0]);
    expect(asked(at)).toBe(2);
    goesOn.open();
    const isNew = async () => (await (await get(at, '/sitemap.xml')).text()) !== texts[0];
    await until(isNew, { what: 'the next sitemap' });
    expect(asked(at)).toBe(2);
  });

  it('ends with as many addresses as one may have', async () => {
    const at = await start({ piece: 2, addresses: 5 });
    at.identity.listCoaches = directory(1_000);
    expect(addresses(await (await get(at, '/sitemap.xml')).text())).toHaveLength(5);
    expect(asked(at)).toBe(2);
  });

  it.each(['identity', 'posts'])(
    'is 503 while there is none, and is not tried again at once: %s is down',
    async (down) => {
      const at = await start();
      at.identity.listCoaches = directory(1);
      if (down === 'identity') at.identity.listCoaches = () => Promise.reject(unavailable());
      else at.posts.listPublicPosts = () => Promise.reject(unavailable());
      const refused = await get(at, '/sitemap.xml');
      expect([refused.status, refused.headers.get('retry-after') !== null]).toEqual([503, true]);
      await get(at, '/sitemap.xml');
      expect(asked(at)).toBe(1);
      at.clock.advance(60_000);
      at.resetServices();
      at.identity.listCoaches = directory(1);
      expect((await get(at, '/sitemap.xml')).status).toBe(200);
    },
  );

  it('is 503 to the first who asks where it takes long, and there soon after', async () => {
    const at = await start({ waitMs: 1 });
    const goesOn = gate('the directory');
    at.identity.listCoaches = async (request) => {
      await goesOn.opened;
      return directory(1)(request);
    };
    expect((await get(at, '/sitemap.xml')).status).toBe(503);
    goesOn.open();
    await until(async () => (await get(at, '/sitemap.xml')).status === 200, { what: 'the sitemap' });
    expect(asked(at)).toBe(1);
  });
});
