import { rmSync } from 'node:fs';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { ApiClient, type ApiPost } from '../support/api-client.js';
import { aCoachWithPosts, elsewhere, feedIds, untilFeedIs, untilKnown, userIds } from '../support/crowd.js';
import { dice, withSeed } from '../support/dice.js';
import { oracleFeed } from '../support/feed-oracle.js';
import { type PulsoProcess, commandOf, processTree, startPulsoProcess } from '../support/pulso-process.js';
import { aDataDirectory } from '../support/template-directory.js';

const COACHES = 4;

describe(withSeed('kill -9 between a follow and its delivery'), () => {
  let dataDirectory: string;
  let pulso: PulsoProcess;
  let ben: ApiClient;
  let zoe: ApiClient;
  let coaches: ApiClient[];
  let posts: ApiPost[];

  beforeAll(async () => {
    dataDirectory = await aDataDirectory('follow');
    pulso = await startPulsoProcess({ dataDirectory });
    const user = (username: string, fields?: Record<string, unknown>) =>
      new ApiClient(pulso.url).signUp(username, fields);
    const authors = await Promise.all(
      Array.from({ length: COACHES }, (_, index) => aCoachWithPosts({ user }, `coach-${index}`)),
    );
    coaches = authors.map(({ coach }) => coach);
    posts = authors.flatMap((author) => author.posts);
    [ben, zoe] = [await user('ben'), await user('zoe')];
    await untilKnown(ben, zoe);
  }, 300_000);
  afterAll(async () => {
    await pulso?.killTree();
    if (dataDirectory) rmSync(dataDirectory, { recursive: true, force: true });
  }, 120_000);

  /** Kills it, does what must come before it runs again, and starts it. */
  const restart = async (between: () => Promise<unknown> = () => Promise.resolve()) => {
    await pulso.killTree();
    await between();
    pulso = await startPulsoProcess({ dataDirectory });
    for (const client of [ben, zoe, ...coaches]) client.url = pulso.url;
  };
  const follow = (client: ApiClient, { userId }: ApiClient) => client.put(`/api/users/${userId}/follow`);
  const wantedFeed = ({ userId }: ApiClient, following: readonly string[], blocked: readonly string[] = []) =>
    oracleFeed(posts, { viewerId: userId, following: new Set(following), blocked: new Set(blocked) });
  const followers = async ({ userId }: ApiClient) =>
    (await zoe.get<{ stats: { followers: number } }>(`/api/users/${userId}`)).body.stats.followers;

  it('a follow acknowledged while posts could not receive it is there after the next start', async () => {
    const [followed, dropped, blocked] = coaches as [ApiClient, ApiClient, ApiClient];
    expect((await follow(ben, dropped)).status).toBe(200);
    const before = wantedFeed(ben, [dropped.userId]);
    expect(await feedIds(ben)).toEqual(before);

    // Posts' store is stopped: social, with a different store, acknowledges a follow that posts' projection cannot
    // get.
    process.kill(documentStoreOf(pulso), 'SIGSTOP');
    expect((await follow(ben, followed)).status).toBe(200);
    expect((await ben.delete(`/api/users/${dropped.userId}/follow`)).status).toBe(200);
    expect((await ben.put(`/api/users/${blocked.userId}/block`)).status).toBe(204);
    await restart();

    const wanted = wantedFeed(ben, [followed.userId], [blocked.userId]);
    expect(await feedIds(ben)).toEqual(wanted);
    await untilFeedIs(elsewhere(ben), wanted);
    await untilFeedIs(blocked, wantedFeed(blocked, []));
    expect([await followers(followed), await followers(dropped)]).toEqual([1, 0]);
  }, 300_000);

  it('follows and unfollows in progress at a kill are stored or not, the same for everyone', async () => {
    const devices = [ben, elsewhere(ben), zoe, elsewhere(zoe)];
    const free = coaches.slice(0, 2);
    /** The possible outcomes by user and coach, including those of unanswered requests. */
    const possible = new Map<string, Set<boolean>>();
    const written = { count: 0 };
    const ending = { now: false };
    onTestEnd(() => (ending.now = true));
    const writing = devices.map(async (device) => {
      for (let turn = 0; !ending.now; turn += 1) {
        const { userId } = free[turn % free.length]!;
        const active = dice.chance(1 / 2);
        const key = `${device.userId} ${userId}`;
        possible.set(key, (possible.get(key) ?? new Set()).add(active));
        try {
          const answer = await device.call(active ? 'PUT' : 'DELETE', `/api/users/${userId}/follow`);
          expect(answer.status).toBe(200);
          written.count += 1;
        } catch (error) {
          // Errors of fetch belong to another realm, so they are not instances of the suite's own TypeError.
          if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return;
          throw error;
        }
      }
    });
    const failed = Promise.all(writing);
    // A writer that fails is awaited below; until then it must not count as unhandled.
    failed.catch(() => (ending.now = true));
    const wanted = 20 + dice.below(80);
    await until(() => ending.now || written.count >= wanted, {
      what: () => `${wanted} writes, of which there were ${written.count}`,
    });
    await restart(() => {
      ending.now = true;
      return failed;
    });

    const lists = new Map<string, string[]>();
    for (const member of [ben, zoe]) {
      const following = await userIds(member, `/api/users/${member.userId}/following`);
      lists.set(member.userId, following);
      const hidden = member === ben ? [coaches[2]!.userId] : [];
      const feed = wantedFeed(member, following, hidden);
      // Of a write that the kill left unanswered, its author has no `Pulso-After` to wait with.
      for (const device of [member, elsewhere(member)]) await untilFeedIs(device, feed);
      for (const { userId } of free) {
        expect([...possible.get(`${member.userId} ${userId}`)!]).toContain(following.includes(userId));
      }
    }
    for (const coach of free) {
      const count = [...lists.values()].filter((list) => list.includes(coach.userId)).length;
      expect(await followers(coach)).toBe(count);
    }
  }, 300_000);
});

function documentStoreOf({ pid }: PulsoProcess): number {
  const found = processTree(pid).find((member) => commandOf(member).includes('document-store'));
  if (found === undefined) throw new Error('No process of the tree is the document store');
  return found;
}
