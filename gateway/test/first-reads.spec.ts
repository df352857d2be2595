import { unavailable } from '@pulso/platform/errors/domain-error';
import { POST_ID, USER_ID } from './support/fake-clients.js';
import { startGatewayForThisTest, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway?.close());

interface Refreshed {
  accessToken: string;
  first?: { path: string; etag?: string; body: unknown }[];
}

const cookie = '__Host-pulso_refresh=refresh-token-1';
const refresh = (paths: readonly string[], headers: Record<string, string> = {}, at = gateway) =>
  at.call('POST', `/api/auth/refresh?${paths.map((path) => `first=${encodeURIComponent(path)}`).join('&')}`, {
    token: null,
    headers: { cookie, ...headers },
  });
const firstOf = async (answer: Response) => ((await answer.json()) as Refreshed).first;
const POST = `/api/posts/${POST_ID}`;

// Rule: ACCT-39
describe('a refresh that is asked for what a page begins with', () => {
  it('answers it as the client’s own call is answered, in the order of asking', async () => {
    for (const paths of [['/api/feed'], [`${POST}/comments`, POST], [`/api/users/${USER_ID}`]]) {
      const answer = await refresh(paths);
      expect([answer.status, answer.headers.getSetCookie().length]).toEqual([200, 3]);
      const first = await firstOf(answer);
      const own = await Promise.all(
        paths.map(async (path) => {
          const call = await gateway.call('GET', path);
          const etag = call.headers.get('etag');
          return { path, ...(etag !== null && { etag }), body: (await call.json()) as unknown };
        }),
      );
      expect(first).toEqual(own);
    }
  });

  it('reads with the new token', async () => {
    await refresh(['/api/feed'], { 'pulso-after': 'forged' });
    const { accessToken } = (await (await refresh([])).json()) as Refreshed;
    const [read] = gateway.calls.filter(({ method }) => method === 'getFeed');
    expect(read?.context).toMatchObject({ authorization: `Bearer ${accessToken}` });
  });

  it('is a refresh as any other without it', async () => {
    expect(await firstOf(await refresh([]))).toBeUndefined();
  });

  it('reads nothing else: no other calls, no queries, two at most, each once', async () => {
    const others = [
      '/api/notifications',
      '/api/feed?limit=100',
      '//feed',
      'https://example.org/api/feed',
      '/api/auth/logout',
      '',
    ];
    expect(await firstOf(await refresh(others))).toEqual([]);
    const three = ['/api/feed', '/api/feed', POST, `${POST}/comments`];
    expect((await firstOf(await refresh(three)))?.map(({ path }) => path)).toEqual(['/api/feed', POST]);
  });

  it('goes on without what fails', async () => {
    gateway.posts.getFeed = () => Promise.reject(unavailable());
    const answer = await refresh(['/api/feed', POST, '/api/posts/0198f2a4-7d02-7e91-8c47-5a1b2c3d4fff']);
    expect(answer.status).toBe(200);
    expect((await firstOf(answer))?.map(({ path }) => path)).toEqual([POST]);
  });

  it('waits only so long', async () => {
    gateway.posts.getFeed = () => new Promise(() => undefined);
    const answer = await refresh(['/api/feed']);
    expect([answer.status, await firstOf(answer)]).toEqual([200, []]);
  });

  it('reads nothing where it is refused', async () => {
    expect((await refresh(['/api/feed'], { origin: 'https://evil.example' })).status).toBe(403);
    expect(gateway.calls.filter(({ method }) => method === 'getFeed')).toEqual([]);
  });

  it('counts what it reads for the limits of the caller', async () => {
    const limited = await startGatewayForThisTest({ RATE_LIMIT_FACTOR: 1 / 600 });
    // One call a minute of an account.
    expect((await firstOf(await refresh(['/api/feed', POST], {}, limited)))?.map(({ path }) => path)).toEqual(
      ['/api/feed'],
    );
  });
});
