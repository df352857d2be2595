import { unavailable } from '@pulso/platform/errors/domain-error';
import { aUser, POST_ID, USER_ID } from './support/fake-clients.js';
import { type FrontendBuild, frontendBuild } from './support/frontend-build.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let build: FrontendBuild;
let gateway: TestGateway;

beforeAll(async () => {
  build = frontendBuild();
  gateway = await startTestGateway({ STATIC_DIR: build.directory });
});
beforeEach(() => gateway.resetServices());
afterAll(async () => {
  await gateway?.close();
  build?.remove();
});

// Rule: HTTP-41
describe('a page at another address', () => {
  const lead = async (path: string, method = 'GET') => {
    const { status, headers } = await gateway.call(method, path, { token: null });
    return [status, headers.get('location'), headers.get('cache-control')];
  };
  const FOR_GOOD = 'public, max-age=86400';

  it.each([
    ['/Ana-Torres', '/ana-torres'],
    ['/ANA-TORRES/', '/ana-torres'],
    ['/ana-torres/', '/ana-torres'],
    ['/%61na%2Dtorres', '/ana-torres'],
    ['/%20ana-torres', '/ana-torres'],
    ['/Ana-Torres?tab=reviews&x=%2F%0d%0a', '/ana-torres?tab=reviews&x=%2F%0d%0a'],
    ['/Ana-Torres?//evil.example', '/ana-torres?//evil.example'],
    ['/post/', '/post'],
    ['/Feed?a=1', '/feed?a=1'],
    ['/Nobody-Here', '/nobody-here'],
    ['/coaches/', '/coaches'],
    ['/coaches//?specialty=Yoga', '/coaches?specialty=Yoga'],
    ['/Coaches?q=a', '/coaches?q=a'],
    ['//?q=a', '/?q=a'],
    ['/feed/', '/feed'],
    ['/%66eed', '/feed'],
    [`/Post/${POST_ID}`, `/post/${POST_ID}`],
    [`/post/${POST_ID}/#c`, `/post/${POST_ID}`],
    [`/PROFILE/${USER_ID}/?tab=reviews`, `/profile/${USER_ID}?tab=reviews`],
    [`/Coaches/${USER_ID}`, `/coaches/${USER_ID}`],
  ])('in another spelling, %s, is at %s for good, and nobody is asked', async (path, to) => {
    expect(await lead(path)).toEqual([301, to, FOR_GOOD]);
    expect(await lead(path, 'HEAD')).toEqual([301, to, FOR_GOOD]);
    expect(gateway.calls.filter(({ service }) => service === 'identity')).toEqual([]);
  });

  it.each([
    '/API',
    '/Media',
    '//Ana-Torres',
    '/%2FAna-Torres',
    '/Ana-Torres/x',
    '/Ana_Torres',
    '/\\Ana-Torres',
    `/post/${POST_ID.toUpperCase()}/`,
    `/posts/${POST_ID}/`,
    '/post/abc/',
    '/a/b/c/',
    '/API/',
  ])('is not %s, which is no spelling of an address that has a page', async (path) =>
    expect((await lead(path)).slice(0, 2)).toEqual([404, null]),
  );

  it('by a former name is at the present one for now', async () => {
    gateway.identity.getUserByUsername = async () => aUser({ username: 'ana-new' });
    const expected = [302, '/ana-new?tab=reviews', 'public, no-cache'];
    expect(await lead('/ana-torres?tab=reviews')).toEqual(expected);
    expect(await lead('/ana-torres?tab=reviews', 'HEAD')).toEqual(expected);
  });

  it('stays where it is while identity does not tell', async () => {
    gateway.identity.getUserByUsername = () => Promise.reject(unavailable());
    expect(await lead('/ana-torres')).toEqual([200, null, 'public, no-cache']);
  });

  it('is refused to other methods', async () => expect((await lead('/Ana-Torres', 'POST'))[0]).toBe(405));
});
