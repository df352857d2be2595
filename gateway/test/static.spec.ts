import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const INDEX = `<!doctype html><title>Pulso</title>${'<p>x</p>'.repeat(200)}`;
const SCRIPT = 'console.log(1);'.repeat(200);
const STYLE = 'p{color:red}'.repeat(200);
const BUILT_STYLE = brotliCompressSync(STYLE);
const FEED_LINK = '</assets/app-1a2b3c.js>; rel=modulepreload, </assets/feed-1.js>; rel=modulepreload';
/** The frontend's pages that are about nobody, as its build lists them. */
const PAGES = [
  '/',
  '/signup',
  '/feed',
  '/login',
  '/coach/dashboard',
  '/dashboard',
  '/subscriptions',
  '/messages',
  '/unsubscribe',
];
const OTHER_LINK = '</assets/app-1a2b3c.js>; rel=modulepreload';
const FILM = Buffer.alloc(5000, 7);

let directory: string;
let gateway: TestGateway;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pulso-static-'));
  mkdirSync(join(directory, 'dist/assets'), { recursive: true });
  const file = (name: string, content: string | Buffer) => writeFileSync(join(directory, name), content);
  file('secret.txt', 'not to be seen');
  file('dist/index.html', INDEX);
  file('dist/index.html.br', brotliCompressSync(INDEX));
  file('dist/index.html.gz', gzipSync(INDEX));
  file('dist/manifest.webmanifest', '{}');
  file('dist/robots.txt', 'of the build');
  file(
    'dist/page-links.json',
    JSON.stringify({ ...Object.fromEntries(PAGES.map((path) => [path, OTHER_LINK])), '/feed': FEED_LINK }),
  );
  file('dist/assets/app-1a2b3c.js', SCRIPT);
  file('dist/assets/app-1a2b3c.js.br', brotliCompressSync(SCRIPT));
  file('dist/assets/app-1a2b3c.js.gz', gzipSync(SCRIPT));
  file('dist/assets/hero-1a2b3c.mp4', FILM);
  file('dist/assets/built-1a2b3c.css', STYLE);
  file('dist/assets/built-1a2b3c.css.br', BUILT_STYLE);
  gateway = await startTestGateway({ STATIC_DIR: join(directory, 'dist') });
});

afterAll(async () => {
  await gateway?.close();
  rmSync(directory, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  gateway.call('GET', path, { token: null, headers });

// Rule: HTTP-26
describe('the built frontend', () => {
  it.each([
    '/signup',
    '/feed',
    '/coach/dashboard?tab=1',
    '/dashboard',
    '/subscriptions',
    '/login#form',
    '/messages?with=a',
    '/unsubscribe?token=a',
  ])('answers %s with the page', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, INDEX]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  // Rule: POST-18
  it('lets the frames of two hosts into its pages, and media of other places alone', async () => {
    const policy = (await get('/feed')).headers.get('content-security-policy')!;
    const sources = Object.fromEntries(
      policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
    );
    expect(sources).toMatchObject({
      'default-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'media-src': ["'self'", 'blob:', 'https:'],
      'frame-src': ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'],
    });
    expect(Object.keys(sources).filter((name) => sources[name]!.includes('https:'))).toEqual(['media-src']);
  });

  // Rule: UI-59
  it('names the scripts of the page, and of no other', async () => {
    const links = await Promise.all(
      ['/feed', '/feed?a=1', '/login', '/coach', '/a/b/c'].map(async (path) =>
        (await get(path)).headers.get('link'),
      ),
    );
    expect(links).toEqual([FEED_LINK, FEED_LINK, OTHER_LINK, null, null]);
    expect((await get('/page-links.json')).status).toBe(404);
  });

  it.each(['/index.html', '/a/b/c', '/a%2Fb', '/%zz', '/assets', '/post', '/post/abc/comments'])(
    'answers %s, which is no address of it, with the page and 404',
    async (path) => {
      const response = await get(path);
      expect([response.status, await response.text()]).toEqual([404, INDEX]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('etag')).toBeNull();
    },
  );

  it.each([
    '/assets/gone-1a2b3c.js',
    '/assets/',
    '/assets%2Fgone.js',
    '/favicon.ico',
    '/apple-touch-icon-120x120-precomposed.PNG',
    '/ads.txt',
    '/.well-known/security.txt',
    '/.well-known/change-password',
    '/a/b/wp-login.php?x=1',
  ])('has nothing in place of %s, which an older page or a program may ask for by itself', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(await response.json()).toMatchObject({ code: 'not-found' });
  });

  it('serves hashed files for ever, others to be checked again', async () => {
    const script = await get('/assets/app-1a2b3c.js');
    expect(await script.text()).toBe(SCRIPT);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
    const manifest = await get('/manifest.webmanifest');
    expect([await manifest.text(), manifest.headers.get('cache-control')]).toEqual([
      '{}',
      'public, no-cache',
    ]);
  });

  it.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ])('is compressed for Accept-Encoding: %s', async (accepted, encoding) => {
    for (const [path, content] of [
      ['/assets/app-1a2b3c.js', SCRIPT],
      ['/feed', INDEX],
    ] as const) {
      const response = await get(path, { 'accept-encoding': accepted });
      expect([response.headers.get('content-encoding'), await response.text()]).toEqual([encoding, content]);
      expect(response.headers.get('vary')).toBe('accept-encoding');
    }
  });

  it('is sent as the build has compressed it', async () => {
    const response = await get('/assets/built-1a2b3c.css', { 'accept-encoding': 'br' });
    expect(response.headers.get('content-length')).toBe(String(BUILT_STYLE.length));
    expect(await response.text()).toBe(STYLE);
    expect((await get('/assets/built-1a2b3c.css.br')).status).toBe(404);
  });

  it('is sent in parts where asked for', async () => {
    const whole = await get('/assets/hero-1a2b3c.mp4');
    expect([whole.headers.get('content-type'), (await whole.arrayBuffer()).byteLength]).toEqual([
      'video/mp4',
      FILM.length,
    ]);
    const part = await get('/assets/hero-1a2b3c.mp4', { range: 'bytes=0-99' });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100]);
  });

  it('is told apart by ETag', async () => {
    for (const path of ['/', '/assets/app-1a2b3c.js']) {
      const etag = (await get(path)).headers.get('etag')!;
      // fetch would ask for a copy without caches.
      const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
      expect([path, (await get(path, headers)).status]).toEqual([path, 304]);
    }
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%00',
    '/assets/..%5c..%5csecret.txt',
    '/assets/..%2f..%2fsecret.txt',
  ])('leads nowhere else: %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('not to be seen');
  });

  it('is not under /api and /media, and only to be read', async () => {
    for (const path of ['/api', '/api/feeds', '/media/x']) expect((await get(path)).status).toBe(404);
    const response = await gateway.call('POST', '/feed', { token: null });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await gateway.call('HEAD', '/feed', { token: null })).status).toBe(200);
  });
});

describe('without a built frontend', () => {
  it('the API is there and pages are not', async () => {
    const bare = await startGatewayForThisTest({ STATIC_DIR: join(directory, 'nothing') });
    expect((await bare.call('GET', '/', { token: null })).status).toBe(404);
    expect((await bare.call('GET', '/api/config', { token: null })).status).toBe(200);
  });
});
