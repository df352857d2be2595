import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { gate } from '@pulso/platform/testing/gate';
import { until } from '@pulso/platform/testing/until';
import { aPost, aUser, OTHER_ID, POST_ID, USER_ID } from './support/fake-clients.js';
import { aPostImage, aVideo, MEDIA_ID } from './support/fake-media.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const INDEX = `<!doctype html>
<head>
    <meta
      name="description"
      content="About the site."
    />
    <title>Pulso</title>
</head>`;

let directory: string;
let gateway: TestGateway;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pulso-page-heads-'));
  writeFileSync(join(directory, 'index.html'), INDEX);
  const link = '</assets/app-1.js>; rel=modulepreload';
  const pages = ['/', '/coaches', '/feed', '/challenges', '/coaches/:coachId', '/:username'];
  const links = Object.fromEntries(pages.map((path) => [path, link]));
  writeFileSync(join(directory, 'page-links.json'), JSON.stringify(links));
  const about = { '/': 'Pulso', '/coaches': 'Fitness Coaches' };
  const texts = Object.entries(about).map(([path, title]) => [
    path,
    { about: { title, description: `About ${title}.` } },
  ]);
  writeFileSync(join(directory, 'page-texts.json'), JSON.stringify(Object.fromEntries(texts)));
  gateway = await startTestGateway({ STATIC_DIR: directory, RATE_LIMIT_FACTOR: 1 });
});
beforeEach(() => gateway.resetServices());
afterAll(async () => {
  await gateway.close();
  rmSync(directory, { recursive: true });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await gateway.call('GET', path, { headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const property = (html: string, name: string) =>
  new RegExp(`<meta property="${name}" content="([^"]*)" />`).exec(html)?.[1];

// Rule: HTTP-27
describe('the page of a post or profile', () => {
  it.each([
    ['/ana-torres', '/ana-torres'],
    [`/profile/${USER_ID}`, '/ana-torres'],
    [`/coaches/${USER_ID}`, '/ana-torres'],
  ])('at %s tells whose it is, and its one address', async (path, address) => {
    gateway.identity.getUser = async () => aUser({ isCoach: true, bio: 'Strength &\n"mobility"' });
    gateway.identity.getUserByUsername = async () => aUser({ bio: 'Strength &\n"mobility"' });
    const { status, html } = await get(path);
    expect(status).toBe(200);
    const { name } = aUser();
    expect(html).toContain(`<title>${name} (@ana-torres) · Pulso</title>`);
    expect(html).toContain('<meta name="description" content="Strength &amp; &quot;mobility&quot;" />');
    expect(html).not.toContain('About the site');
    expect(html).toContain(`<link rel="canonical" href="https://pulso.example${address}" />`);
    expect(property(html, 'og:type')).toBe('profile');
    expect(property(html, 'og:image')).toBe('https://pulso.example/link-picture.jpg');
  });

  it.each([
    ['/', 'Pulso', 'Pulso', 'https://pulso.example/'],
    ['/coaches', 'Fitness Coaches · Pulso', 'Fitness Coaches', 'https://pulso.example/coaches'],
  ])('at %s tells about the site, in the words of its build', async (path, title, about, url) => {
    const { html } = await get(path);
    expect(html).toContain(`<title>${title}</title>`);
    expect(html).toContain(`<meta name="description" content="About ${about}." />`);
    expect([property(html, 'og:type'), property(html, 'og:title'), property(html, 'og:url')]).toEqual([
      'website',
      about,
      url,
    ]);
  });

  it('tells a post’s author and the beginning of its text, as a visitor reads it', async () => {
    gateway.posts.getPost = async () =>
      aPost({ content: `<script>alert(1)</script> ${'word '.repeat(100)}` });
    const { html } = await get(`/post/${POST_ID}`);
    expect(html).not.toContain('<script>');
    expect(property(html, 'og:title')).toBe(
      `Ana Torres: &lt;script&gt;alert(1)&lt;/script&gt; ${'word '.repeat(6)}word…`,
    );
    expect(property(html, 'og:description')!.length).toBeLessThan(250);
    expect(property(html, 'og:type')).toBe('article');
    const asked = gateway.calls.find(({ method }) => method === 'getPost')!;
    expect([asked.context!.caller, asked.context!.authorization]).toEqual([null, undefined]);
  });

  // Rule: POST-6
  it('tells that a text goes on which only subscribers may read', async () => {
    const preview = `Five sets of five: ${'w'.repeat(30)} at 80`;
    gateway.posts.getPost = async () => aPost({ content: preview, truncated: true });
    const { html } = await get(`/post/${POST_ID}`);
    expect(property(html, 'og:description')).toBe(`${preview}…`);
    expect(property(html, 'og:title')).toBe(`Ana Torres: ${preview}…`);
    expect(html).toContain(`<title>Ana Torres: ${preview}… · Pulso</title>`);
  });

  it('cuts no character of it in two', async () => {
    gateway.posts.getPost = async () => aPost({ content: '👨‍👩‍👧'.repeat(61) });
    const { html } = await get(`/post/${POST_ID}`);
    expect(property(html, 'og:title')).toBe(`Ana Torres: ${'👨‍👩‍👧'.repeat(60)}…`);
  });

  // Rule: UI-54
  it.each([
    { content: '', truncated: false },
    { content: ' ', truncated: true },
  ])('is by its author where nothing can be read: %j', async (text) => {
    gateway.posts.getPost = async () => aPost(text);
    expect((await get(`/post/${POST_ID}`)).html).toContain('<title>Post by Ana Torres · Pulso</title>');
  });

  // Rule: MEDIA-6
  it('shows a person’s own picture, small, and a public post’s first one', async () => {
    const card = (html: string) => /<meta name="twitter:card" content="(\w+)" \/>/.exec(html)?.[1];
    gateway.identity.getUser = async () => aUser({ profileImageId: MEDIA_ID });
    const person = (await get(`/profile/${USER_ID}`)).html;
    expect(property(person, 'og:image')).toBe(`https://pulso.example/media/${MEDIA_ID}/avatar`);
    expect(card(person)).toBe('summary');
    gateway.posts.getPost = async () =>
      aPost({ images: [aPostImage(), aPostImage({ url: '/media/other' })] });
    const post = (await get(`/post/${POST_ID}`)).html;
    expect(property(post, 'og:image')).toBe(
      `https://pulso.example${aPostImage().url.replaceAll('&', '&amp;')}`,
    );
    expect(card(post)).toBe('summary_large_image');
    const { facts, url, thumbnail } = aVideo();
    gateway.posts.getPost = async () =>
      aPost({ hasVideo: true, video: { upload: { facts, url, thumbnail } } });
    expect(property((await get(`/post/${POST_ID}`)).html, 'og:image')).toBe(
      `https://pulso.example${thumbnail.replaceAll('&', '&amp;')}`,
    );
    // Nothing is shown of one that is processed, nor of what lies elsewhere.
    const link = { url: 'https://evil.example/a.mp4', originalUrl: 'x', platform: 3, direct: true };
    for (const video of [{ upload: { facts, url: '', thumbnail: '' } }, { link }]) {
      gateway.posts.getPost = async () => aPost({ hasVideo: true, video });
      const { html } = await get(`/post/${POST_ID}`);
      expect(property(html, 'og:image')).toBe('https://pulso.example/link-picture.jpg');
      expect(html.slice(0, html.indexOf('</head>'))).not.toContain('evil.example');
    }
  });

  it.each([
    '/nobody-here',
    `/profile/${OTHER_ID}`,
    `/coaches/${OTHER_ID}`,
    '/coaches/me',
    '/coaches/:coachId',
    '/:username',
    '/profile/me',
    '/post/none',
    `/post/${OTHER_ID}`,
    '/-',
    '/%2F',
    '/feed%2F',
    '/%2f%2f',
    '//evil.com',
    '/post',
  ])('answers %s, where nobody is, with 404', async (path) => {
    const { status, html } = await get(path);
    expect([status, html]).toEqual([404, INDEX]);
  });

  // Rule: UI-1
  it.each(['/feed', '/challenges'])(
    'is none at %s, which the frontend’s build lists as a page about nobody',
    async (path) => {
      const { status, html } = await get(path);
      expect([status, html]).toEqual([200, INDEX]);
      expect(gateway.calls.filter(({ service }) => service === 'identity')).toEqual([]);
    },
  );

  it('of a user who is no coach is missing in the directory', async () => {
    gateway.identity.getUser = async () => aUser({ isCoach: false });
    expect((await get(`/coaches/${USER_ID}`)).status).toBe(404);
  });

  it('is never missing while a service is down', async () => {
    gateway.identity.getUserByUsername = () => Promise.reject(unavailable());
    gateway.posts.getPost = () => Promise.reject(new Error('a defect'));
    for (const path of ['/ana-torres', `/post/${POST_ID}`]) {
      const { status, html } = await get(path);
      expect([path, status, html]).toEqual([path, 200, INDEX]);
    }
  });

  it('has an ETag of its own', async () => {
    const { headers } = await get('/ana-torres');
    const etag = headers.get('etag')!;
    expect(etag).not.toBe((await get('/feed')).headers.get('etag'));
    const again = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    expect((await get('/ana-torres', again)).status).toBe(304);
    gateway.identity.getUserByUsername = async () => aUser({ name: 'Ana María' });
    expect((await get('/ana-torres', again)).status).toBe(200);
  });

  it('says nothing of itself to an address over its limit', async () => {
    let last = '';
    for (let count = 0; count < 2_000 && last !== INDEX; count += 1) last = (await get('/ana-torres')).html;
    expect(last).toBe(INDEX);
    expect((await get('/ana-torres')).status).toBe(200);
  });

  // Rule: LIMIT-9
  it('says nothing of itself while as many as may be are being read', async () => {
    const places = 2;
    const busy = await startGatewayForThisTest({ STATIC_DIR: directory, maxConcurrentPerRoute: places });
    const goesOn = gate('the answers of identity');
    let asked = 0;
    busy.identity.getUserByUsername = async () => {
      asked += 1;
      await goesOn.opened;
      return aUser();
    };
    const page = async () => (await busy.call('GET', '/ana-torres')).text();
    const served = Array.from({ length: places }, page);
    await until(() => asked === places, { what: 'as many calls at identity as have places' });
    let next = '';
    void page().then((html) => (next = html));
    await until(() => next !== '', { what: 'a page that waits for no service' });
    expect([next, asked]).toEqual([INDEX, places]);
    goesOn.open();
    for (const one of served) expect(await one).toContain('(@ana-torres)');
    expect(await page()).toContain('(@ana-torres)');
  });
});
