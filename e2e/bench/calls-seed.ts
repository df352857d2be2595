import type { Request } from 'autocannon';
import { ApiClient, type ApiPost, type Page } from '../support/api-client.js';
import { waitFor } from '../support/wait-for.js';
import { bearer } from './bench-servers.js';

const VIEWERS = 60;
const COACHES = 20;
const POSTS = 100;
const MESSAGES = 20;
const LIMIT = 20;
const DEEP_PAGES = 4;
const SIGN_UPS_AT_ONCE = 4;
const SEED_TIMEOUT_MS = 15_000;

export interface Call {
  name: string;
  connections: number;
  /** In turn; each connection begins at another one. */
  requests: Request[];
}

/**
 * Fills an empty Pulso over HTTP: a coach with 100 posts and 60 followers, 20 of whom are coaches, too; each follower likes a
 * post and has written to the coach. Returns the calls to measure. It asks for nothing that only newer commits have.
 */
export async function seedCalls(url: string): Promise<Call[]> {
  const coach = await new ApiClient(url).signUp('bench-coach', { isCoach: true });
  const viewers = await signUpViewers(url);
  const posts: string[] = [];
  for (let count = 0; count < POSTS; count += 1) {
    const answer = await mustPost(coach, '/api/posts', {
      content: `Post ${count} ${'of a bench '.repeat(10)}`,
    });
    posts.push((answer as unknown as ApiPost).id);
  }
  for (const [index, viewer] of viewers.entries()) {
    await mustPut(viewer, `/api/users/${coach.userId}/follow`);
    await mustPut(viewer, `/api/posts/${posts[index]}/like`);
  }
  const thread = await seedMessages(coach, viewers);
  await waitFor(
    () => feedPage(viewers.at(-1)!, ''),
    ({ items }) => items.length === LIMIT,
    { what: 'the posts in the feed of the last follower', limit: SEED_TIMEOUT_MS },
  );
  return callsOf(coach, viewers, posts, thread);
}

/** One message of each viewer to the coach, and a thread of the first, whose id is returned; undefined before there were messages. */
async function seedMessages(coach: ApiClient, viewers: ApiClient[]): Promise<string | undefined> {
  if ((await coach.get('/api/conversations')).status === 404) return undefined;
  const [first] = viewers as [ApiClient];
  const senders = [...viewers, ...Array.from({ length: MESSAGES }, () => first)];
  for (const sender of senders)
    await mustPost(sender, '/api/messages', { receiverId: coach.userId, content: 'Hello' });
  const { body } = await first.get<Page<{ id: string }>>('/api/conversations');
  return body.items[0]!.id;
}

async function callsOf(
  coach: ApiClient,
  viewers: ApiClient[],
  posts: string[],
  thread: string | undefined,
): Promise<Call[]> {
  const each = (request: (viewer: ApiClient, index: number) => Request | Request[]) =>
    viewers.flatMap((viewer, index) => request(viewer, index));
  const read = (name: string, path: string | ((viewer: ApiClient, index: number) => string)): Call => ({
    name,
    connections: 10,
    requests: each((viewer, index) => ({
      method: 'GET',
      path: typeof path === 'string' ? path : path(viewer, index),
      headers: bearer(viewer.accessToken!),
    })),
  });
  const readAsCoach = (name: string, path: string): Call => ({
    name,
    connections: 10,
    requests: [{ method: 'GET', path, headers: bearer(coach.accessToken!) }],
  });
  const write = (name: string, requests: Request[]): Call => ({ name, connections: 5, requests });
  const coachOf = (index: number) => viewers[(index + 1) % COACHES]!.userId;

  const cursors = await Promise.all(viewers.map(deepCursor));
  const etags = await Promise.all(
    viewers.map(async (viewer) => (await viewer.get('/api/badges')).headers.get('etag') ?? ''),
  );
  return [
    read('feed', `/api/feed?limit=${LIMIT}`),
    read('deep', (_, index) => `/api/feed?limit=${LIMIT}&cursor=${encodeURIComponent(cursors[index]!)}`),
    read('me', '/api/me'),
    read('blocks', '/api/me/blocks'),
    {
      name: 'badges',
      connections: 10,
      requests: each((viewer, index) => ({
        method: 'GET',
        path: '/api/badges',
        headers: { ...bearer(viewer.accessToken!), 'if-none-match': etags[index]! },
      })),
    },
    read('profile', `/api/users/${coach.userId}`),
    readAsCoach('notifications', `/api/notifications?limit=${LIMIT}`),
    readAsCoach('conversations', '/api/conversations?limit=50'),
    readAsCoach('thread', `/api/conversations/${thread}/messages?limit=${LIMIT}`),
    read('coaches', '/api/coaches?q=ana&limit=10'),
    read('post', (_, index) => `/api/posts/${posts[index]}`),
    write('create-post', [json(coach, 'POST', '/api/posts', { content: 'A post of the benchmark' })]),
    write(
      'send-message',
      each((viewer) => json(viewer, 'POST', '/api/messages', { receiverId: coach.userId, content: 'Hello' })),
    ),
    write(
      'subscribe',
      each((viewer, index) =>
        (['PUT', 'DELETE'] as const).map((method) => ({
          method,
          path: `/api/subscriptions/${coachOf(index)}`,
          headers: bearer(viewer.accessToken!),
        })),
      ),
    ),
  ];
}

async function signUpViewers(url: string): Promise<ApiClient[]> {
  const viewers: ApiClient[] = [];
  const waiting = Array.from({ length: VIEWERS }).entries();
  const work = async () => {
    for (const [index] of waiting) {
      const isCoach = index < COACHES;
      viewers[index] = await new ApiClient(url).signUp(`bench-${index}`, { isCoach, name: `Ana ${index}` });
    }
  };
  await Promise.all(Array.from({ length: SIGN_UPS_AT_ONCE }, work));
  return viewers;
}

function json(client: ApiClient, method: 'POST', path: string, body: object): Request {
  return {
    method,
    path,
    headers: { ...bearer(client.accessToken!), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

async function feedPage(viewer: ApiClient, cursor: string): Promise<Page<ApiPost>> {
  const path = `/api/feed?limit=${LIMIT}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
  return (await must(`GET ${path}`, () => viewer.get(path))) as unknown as Page<ApiPost>;
}

/** The cursor after some pages of the viewer's feed. */
async function deepCursor(viewer: ApiClient): Promise<string> {
  let cursor = '';
  for (let page = 0; page < DEEP_PAGES; page += 1) cursor = (await feedPage(viewer, cursor)).nextCursor!;
  return cursor;
}

/** Repeated while a service has not heard of the users. */
async function must(what: string, call: () => ReturnType<ApiClient['call']>) {
  const { status, body } = await waitFor(call, (answer) => ![403, 404, 503].includes(answer.status), {
    what,
    limit: SEED_TIMEOUT_MS,
  });
  if (status >= 300) throw new Error(`${what} was answered with ${status}`);
  return body;
}

const mustPost = (client: ApiClient, path: string, body: object) =>
  must(`POST ${path}`, () => client.post(path, body));
const mustPut = (client: ApiClient, path: string) => must(`PUT ${path}`, () => client.put(path));
