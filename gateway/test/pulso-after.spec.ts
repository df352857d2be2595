import { currentContext, type ConsistencyToken } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { aPost, OTHER_ID, POST_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

const TOPIC = 'pulso.posts.post.v1';

let gateway: TestGateway;
let tokens: ConsistencyToken[];

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => {
  gateway.resetServices();
  tokens = [{ topic: TOPIC, key: POST_ID, version: 1 }];
  gateway.posts.publishPost = () => {
    currentContext()!.wrote.push(...tokens);
    return Promise.resolve(aPost());
  };
});
afterAll(() => gateway?.close());

const publish = (after?: string, token = gateway.token) =>
  gateway.call('POST', '/api/posts', {
    token,
    json: { content: 'x' },
    headers: after === undefined ? {} : { 'pulso-after': after },
  });

/** What the services are asked to wait for when `after` comes with a request. */
async function waitedFor(after: string, token: string | null = gateway.token): Promise<ConsistencyToken[]> {
  await gateway.call('GET', `/api/users/${USER_ID}/posts`, { token, headers: { 'pulso-after': after } });
  const { context } = gateway.calls.filter(({ method }) => method === 'listUserPosts').at(-1)!;
  return context!.after.map(({ topic, key, version }) => ({ topic, key, version }));
}

const after = (response: Response) => response.headers.get('pulso-after')!;

// Rule: HTTP-2
describe('Pulso-After', () => {
  it('carries a write to the next request', async () => {
    expect(await waitedFor(after(await publish()))).toEqual(tokens);
  });

  it('is the union of what came and what was written, newest version of each', async () => {
    const first = after(await publish());
    tokens = [
      { topic: TOPIC, key: POST_ID, version: 2 },
      { topic: TOPIC, key: 'other', version: 7 },
    ];
    const second = after(await publish(first));
    expect(await waitedFor(second)).toEqual(tokens);
    tokens = [{ topic: TOPIC, key: 'third', version: 1 }];
    expect(await waitedFor(after(await publish(second)))).toHaveLength(3);
  });

  it('stands on every answer to a write, a failed one too, and on no read', async () => {
    const like = await gateway.call('PUT', `/api/posts/${POST_ID}/like`);
    expect(await waitedFor(after(like))).toEqual([]);
    gateway.posts.publishPost = () => {
      currentContext()!.wrote.push(...tokens);
      return Promise.reject(unavailable());
    };
    const failed = await publish();
    expect([failed.status, await waitedFor(after(failed))]).toEqual([503, tokens]);
    const read = await gateway.call('GET', '/api/feed', { headers: { 'pulso-after': after(failed) } });
    expect(read.headers.has('pulso-after')).toBe(false);
  });

  // Rule: HTTP-3
  it('that a service could not wait for marks the answer to a read as stale, and no other', async () => {
    const marked = async (method: string, path: string) => {
      const { headers } = await gateway.call(method, path, {
        headers: { 'pulso-after': after(await publish()) },
      });
      return headers.get('pulso-stale');
    };
    expect(await marked('GET', `/api/posts/${POST_ID}`)).toBeNull();
    gateway.posts.getPost = gateway.posts.publishPost = () => {
      currentContext()!.stale = true;
      currentContext()!.wrote.push(...tokens);
      return Promise.resolve(aPost());
    };
    expect(await marked('GET', `/api/posts/${POST_ID}`)).toBe('1');
    expect((await publish()).headers.has('pulso-stale')).toBe(false);
  });

  // Rule: HTTP-33
  it('may be two values, of which each counts for itself', async () => {
    const first = after(await publish());
    tokens = [{ topic: TOPIC, key: 'other', version: 7 }];
    const second = after(await publish());
    const both = [{ topic: TOPIC, key: POST_ID, version: 1 }, tokens[0]];
    expect(await waitedFor(`${first}, ${second}`)).toEqual(both);
    expect(await waitedFor(`x,${second}`)).toEqual(tokens);
    expect(await waitedFor(`${first}, ${second}x`)).toEqual([both[0]]);
    tokens = [];
    expect(await waitedFor(after(await publish(`${first}, ${second}`)))).toEqual(both);
  });

  it('is forgotten after a minute', async () => {
    const header = after(await publish());
    gateway.clock.advance(59_999);
    expect(await waitedFor(header)).toEqual(tokens);
    gateway.clock.advance(1);
    expect(await waitedFor(header)).toEqual([]);
  });

  it('is ignored when it is someone else’s, changed or nonsense', async () => {
    const header = after(await publish());
    expect(await waitedFor(header, await gateway.tokenFor(OTHER_ID))).toEqual([]);
    expect(await waitedFor(header, null)).toEqual([]);
    const changed = header.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const bad of [changed, 'x', 'a.b.c', '', 'a'.repeat(9000)]) expect(await waitedFor(bad)).toEqual([]);
  });

  it('belongs to who has just signed up, and lives through a login', async () => {
    const user = [{ topic: 'pulso.identity.user.v1', key: USER_ID, version: 3 }];
    const signUp = gateway.identity.signUp!;
    gateway.identity.signUp = (request) => {
      currentContext()!.wrote.push(...user);
      return signUp(request);
    };
    const account = { email: 'a@b.co', password: 'password', name: 'Ana', username: 'ana' };
    const signedUp = await gateway.call('POST', '/api/auth/signup', { token: null, json: account });
    expect(await waitedFor(after(signedUp))).toEqual(user);
    const login = await gateway.call('POST', '/api/auth/login', {
      token: null,
      json: { email: 'a@b.co', password: 'password' },
      headers: { 'pulso-after': after(signedUp) },
    });
    expect(await waitedFor(after(login))).toEqual(user);
  });

  it('stays small', async () => {
    tokens = Array.from({ length: 500 }, (_, index) => ({
      topic: TOPIC,
      key: `${POST_ID}-${index}`,
      version: index,
    }));
    const header = after(await publish());
    expect(header.length).toBeLessThan(4096);
    expect(await waitedFor(header)).toEqual(tokens.slice(-24));
  });
});
