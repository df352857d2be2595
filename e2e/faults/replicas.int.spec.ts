import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { ApiClient, type ApiPost, type Page } from '../support/api-client.js';
import { type ClusterUnderTest, startClusterPulso } from '../support/cluster-pulso.js';
import { oracleFeed } from '../support/feed-oracle.js';
import { metricOf, samplesOf } from '../support/operations.js';
import { RetryingClient } from '../support/retrying-client.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';
import { type NativeEngines, startNativeEngines } from '../../tools/engines/native.mjs';

/** How often each replica is killed, and stopped, during load. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);
const LOADERS = 6;
const LIMIT_MS = 300_000 + ROUNDS * 300_000;
const SCROLLS = 20;

describe('two replicas of posts and of the gateway', () => {
  let engines: NativeEngines;
  let pulso: ClusterUnderTest;
  const people = new Map<string, ApiClient>();

  beforeAll(async () => {
    engines = await startNativeEngines();
    pulso = await startClusterPulso({ engines, replicas: { posts: 2, gateway: 2 } });
    for (const name of ['viewer', 'friend', 'stranger']) {
      people.set(name, await new ApiClient(pulso.url).signUp(name));
    }
    // They will follow each other once every service knows them.
    await pulso.drainEvents();
  }, LIMIT_MS);
  afterAll(async () => {
    await pulso?.close();
    await engines?.stop();
  }, LIMIT_MS);

  /** The same user at every gateway, with separate consistency tokens for each. */
  const atEveryGateway = ({ accessToken, userId }: ApiClient) =>
    pulso.urls.map((url) => Object.assign(new ApiClient(url), { accessToken, userId }));

  const indexed = async () =>
    Promise.all(
      pulso.processes.posts.map(({ operationsUrl }) => metricOf([operationsUrl], 'pulso_feed_index_posts')),
    );

  it(
    'serve in parallel: a scroll that alternates between them equals the oracle',
    async () => {
      const [viewer, friend, stranger] = [...people.values()] as [ApiClient, ApiClient, ApiClient];
      expect((await viewer.put(`/api/users/${friend.userId}/follow`)).status).toBe(200);
      const posts: ApiPost[] = [];
      for (let count = 0; count < 60; count += 1) {
        const author = [stranger, friend, viewer][count % 3]!;
        const [at] = atEveryGateway(author).slice(count % 2);
        const answer = await at!.post<ApiPost>('/api/posts', { content: `${count}` });
        expect(answer.status).toBe(201);
        posts.push(answer.body);
      }
      await pulso.drainEvents();
      await waitForEqual(indexed, [60, 60], { what: 'the posts in each replica’s index' });

      const following = new Set([friend.userId]);
      const wanted = oracleFeed(posts, { viewerId: viewer.userId, following, blocked: new Set() });
      const gateways = atEveryGateway(viewer);
      const pageAt = (turn: number, query: string) =>
        gateways[turn % gateways.length]!.get<Page<ApiPost>>(`/api/feed?${query}`);
      const scroll = async (limit: number) => {
        const ids: string[] = [];
        for (let turn = 0, cursor = ''; ; turn += 1) {
          const { body } = await pageAt(
            turn,
            `limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
          );
          ids.push(...body.items.map(({ id }) => id));
          if (body.nextCursor === null) return ids;
          cursor = body.nextCursor;
        }
      };
      // Once both have received the follow, every scroll is equal, whichever replica returns its pages.
      await waitForEqual(() => scroll(7), wanted, { what: 'the feed of both replicas' });
      for (let count = 0; count < SCROLLS; count += 1) expect(await scroll(3 + (count % 5))).toEqual(wanted);
      for (const { operationsUrl } of pulso.processes.posts) {
        const calls = await samplesOf(operationsUrl, 'pulso_rpc_server_duration_seconds_count');
        const pages = calls.filter(({ labels }) => labels.rpc!.endsWith('/getFeed'));
        expect(pages.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThan(SCROLLS);
      }
    },
    LIMIT_MS,
  );

  it.each(['kill', 'stop'] as const)(
    '%s one during load: no request fails if clients retry once',
    async (how) => {
      const ending = { now: false };
      onTestEnd(() => (ending.now = true));
      const clients = [...people.values()].flatMap((person) =>
        Array.from({ length: LOADERS / people.size }, () => new RetryingClient(atEveryGateway(person))),
      );
      const written = new Map<string, string>();
      const loading = clients.map((client, index) => load(client, `load ${how} ${index}`, ending, written));
      const failed = Promise.all(loading);
      // A failure ends the load at once, and is reported when the rounds are over.
      failed.catch(() => (ending.now = true));
      const members = [...pulso.processes.posts, ...pulso.processes.gateway];
      for (let round = 0; round < ROUNDS && !ending.now; round += 1) {
        for (const member of members) {
          const before = written.size;
          await until(() => written.size > before + 10 || ending.now, { what: 'ten writes of the load' });
          if (how === 'kill') {
            await member.kill();
            await member.untilReady();
          } else {
            expect(await member.stop()).toBe(0);
            await member.start();
          }
        }
      }
      ending.now = true;
      const counts = await failed;
      for (const count of counts) expect(count).toBeGreaterThan(0);
      // Without any retry, the kill had no effect and the test proved nothing.
      const retries = clients.reduce((sum, client) => sum + client.retries, 0);
      if (how === 'kill') expect(retries).toBeGreaterThan(0);

      // Each write was executed once, by either replica.
      const viewer = atEveryGateway(people.get('viewer')!)[0]!;
      const stored = async () => {
        const posts = await viewer.all<ApiPost>('/api/feed', 100);
        return posts
          .filter(({ content }) => content.startsWith(`load ${how} `))
          .map(({ content }) => content);
      };
      const contents = await waitFor(stored, ({ length }) => length >= written.size, {
        what: `the ${written.size} posts of the load`,
      });
      expect(contents.sort()).toEqual([...written.keys()].sort());
    },
    LIMIT_MS,
  );
});

/** Reads, writes and likes until `ending.now` is set; returns how many requests it made. */
async function load(
  client: RetryingClient,
  name: string,
  ending: { now: boolean },
  written: Map<string, string>,
): Promise<number> {
  let count = 0;
  for (; !ending.now; count += 1) {
    const feed = await client.call<Page<ApiPost>>('GET', '/api/feed?limit=5');
    expect(feed.status).toBe(200);
    const content = `${name} ${count}`;
    const post = await client.call<ApiPost>('POST', '/api/posts', { content });
    expect(post.status).toBe(201);
    written.set(content, post.body.id);
    const liked = await client.call<{ liked: boolean }>('PUT', `/api/posts/${post.body.id}/like`);
    expect([liked.status, liked.body.liked]).toEqual([200, true]);
  }
  return count;
}
