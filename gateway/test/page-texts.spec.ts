import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { notFound } from '@pulso/platform/errors/domain-error';
import { POST_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const NEEDS_SCRIPTS = '<p>This page needs scripts.</p>';
const page = (title: string, description: string, text: string) => `<!doctype html>
<html lang="en">
<head>
    ${description}<title>${title}</title>
</head>
<body>
    <div id="root"></div>
    <noscript>
      <div style="margin: 4rem auto">${text}</div>
    </noscript>
</body>`;
const ABOUT = '<meta name="description" content="About the site." />\n    ';
const INDEX = page('Pulso', ABOUT, NEEDS_SCRIPTS);

const missing = (heading: string) => ({
  missing: { title: `${heading} · Pulso`, heading, text: 'Not <here>.', home: 'Home' },
});
const TEXTS = {
  '/': { title: 'Pulso', about: { title: 'Pulso', description: 'About the site.' } },
  '/login': { title: 'Sign in & up · Pulso' },
  '/post/:postId': missing('No Post'),
  '/:username': missing('No User'),
  '*': missing('No Page'),
};

let directory: string;
let gateway: TestGateway;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pulso-page-texts-'));
  const file = (name: string, content: string | Buffer) => writeFileSync(join(directory, name), content);
  file('index.html', INDEX);
  file('index.html.br', brotliCompressSync(INDEX));
  const link = '</assets/app-1.js>; rel=modulepreload';
  const paths = ['/', '/login', '/feed', '/post/:postId', '/:username'];
  file('page-links.json', JSON.stringify(Object.fromEntries(paths.map((path) => [path, link]))));
  file('page-texts.json', JSON.stringify(TEXTS));
  file(
    'render.mjs',
    `export const renderPage = async ({ url }) =>
      url === '/' ? { html: '<p>rendered</p>', data: '{}' } : undefined;`,
  );
  gateway = await startTestGateway({ STATIC_DIR: directory });
});
beforeEach(() => gateway.resetServices());
afterAll(async () => {
  await gateway?.close();
  rmSync(directory, { recursive: true, force: true });
});

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await gateway.call(method, path, { token: null, headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

// Rule: HTTP-27
describe('a page that is not rendered', () => {
  it('has the title that its build gives it, and an ETag of its own', async () => {
    const { status, html, headers } = await get('/login');
    expect([status, html]).toEqual([200, page('Sign in &amp; up · Pulso', ABOUT, NEEDS_SCRIPTS)]);
    expect(headers.get('link')).toContain('modulepreload');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    const etag = headers.get('etag')!;
    expect(etag).not.toBe((await get('/feed')).headers.get('etag'));
    const again = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await get('/login', again)).status).toBe(304);
  });

  it('has that of the site where the build gives it none', async () =>
    expect(await get('/feed')).toMatchObject({ status: 200, html: INDEX }));

  it.each([
    ['/a/b/c', 'No Page'],
    ['/*', 'No User'],
    ['/post/none', 'No Post'],
    [`/post/${POST_ID}`, 'No Post'],
    ['/nobody-here', 'No User'],
  ])('says at %s, where nothing is: %s', async (path, heading) => {
    gateway.posts.getPost = () => Promise.reject(notFound());
    const says = `<h1>${heading}</h1><p>Not &lt;here&gt;.</p><p><a href="/">Home</a></p>`;
    for (const headers of [{}, { cookie: 'pulso_member=1' }] as Record<string, string>[]) {
      const got = await get(path, headers);
      expect([got.status, got.html]).toEqual([404, page(`${heading} · Pulso`, '', says)]);
      expect([got.headers.get('etag'), got.headers.get('link')]).toEqual([null, null]);
    }
    expect(await get(path, {}, 'HEAD')).toMatchObject({ status: 404, html: '' });
  });

  it.each(['br', 'gzip', 'identity'])('is compressed by %s where it is accepted', async (encoding) => {
    const { html, headers } = await get('/a/b/c', { 'accept-encoding': encoding });
    expect(html).toContain('<h1>No Page</h1>');
    expect(headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(headers.get('vary')).toBe('accept-encoding');
  });

  it('is made of a file that nobody gets', async () =>
    expect((await get('/page-texts.json')).status).toBe(404));
});

// Rule: UI-68
it('a page that is rendered needs no scripts, a member’s does', async () => {
  const rendered = await get('/');
  expect(rendered.html).toContain('<p>rendered</p>');
  expect(rendered.html).not.toContain('noscript');
  expect((await get('/', { cookie: 'pulso_member=1' })).html).toContain(NEEDS_SCRIPTS);
});
