import { createRegistry } from '@pulso/platform/telemetry/metrics';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { POST_ID } from './support/fake-clients.js';
import { type FrontendBuild, frontendBuild } from './support/frontend-build.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const RENDERED = { html: '<p>rendered</p>', data: '{}' };
const LIMITS = { keptMs: 0, renderMs: 60_000 };

let build: FrontendBuild;
let gateway: TestGateway;

beforeAll(async () => {
  build = frontendBuild(async () => RENDERED);
  gateway = await startTestGateway({ STATIC_DIR: build.directory, guestPageLimits: LIMITS });
});
beforeEach(() => {
  gateway.resetServices();
  build.render = async () => RENDERED;
});
afterAll(async () => {
  await gateway?.close();
  build?.remove();
});

const get = async (path: string, headers: Record<string, string> = {}, at = gateway) => {
  const response = await at.call('GET', path, { token: null, headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

// Rule: HTTP-42
describe('a later part of a list', () => {
  it.each(['/coaches', '/ana-torres', `/post/${POST_ID}`])(
    'at %s is rendered, and is no page of its own for search engines',
    async (path) => {
      const asked: string[] = [];
      build.render = async (page) => {
        asked.push(page.url);
        return RENDERED;
      };
      const cursor = `k1.${'x'.repeat(2_000)}`;
      for (const cookie of ['', 'pulso_member=1']) {
        const { status, html, headers } = await get(`${path}?after=${cursor}`, { cookie });
        expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
        expect(html).not.toMatch(/rel="canonical"|ld\+json/);
        expect(html).toMatch(/<title>.+<\/title>[^]*property="og:url"/);
        expect(html.includes('data-rendered')).toBe(cookie === '');
      }
      expect(asked).toEqual([`${path}?after=${cursor}`]);
    },
  );

  it('is not the page whose query names none', async () => {
    for (const path of ['/coaches', '/coaches?after=', '/coaches?q=after']) {
      const { html, headers } = await get(path);
      expect([path, headers.get('x-robots-tag')]).toEqual([path, null]);
      expect(html).toContain('<link rel="canonical" href="https://pulso.example/coaches" />');
    }
  });
});

// Rule: LIMIT-16
it('a page comes plain while the event loop is behind, which is counted', async () => {
  const registry = createRegistry('gateway');
  const at = await startGatewayForThisTest({
    STATIC_DIR: build.directory,
    registry,
    MAX_EVENT_LOOP_DELAY_MS: 200,
    guestPageLimits: LIMITS,
  });
  expect((await get('/coaches', {}, at)).html).toContain('data-rendered');
  // Late, and not so late that requests are refused.
  const busy = setInterval(() => {
    const end = performance.now() + 180;
    while (performance.now() < end);
  });
  onTestEnd(() => clearInterval(busy));
  const plain = async () => !(await get('/coaches', {}, at)).html.includes('data-rendered');
  await until(plain, { what: 'a plain page' });
  clearInterval(busy);
  await until(async () => !(await plain()), { what: 'a rendered page again' });
  expect(await registry.metrics()).toMatch(/pulso_guest_pages_total\{.*outcome="strained".*\} [1-9]/);
});
