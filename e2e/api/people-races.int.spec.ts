import { eventOf } from '@pulso/platform/events/event-record';
import { blockTopic, followTopic } from '@pulso/contracts/topics/social';
import type { ApiClient, ApiPost, Page } from '../support/api-client.js';
import { aCoachWithPosts, elsewhere, feedIds, untilFeedIs, userIds } from '../support/crowd.js';
import { dice, withSeed } from '../support/dice.js';
import { oracleFeed } from '../support/feed-oracle.js';
import { type TestPulso, startPulso } from '../support/start-pulso.js';

const COACHES = 6;
const MEMBERS = 5;
/** `npm run soak -- races` makes more. */
const WRITES = Number(process.env.RACE_WRITES ?? 300);

interface Profile {
  stats: { followers: number; following: number };
}

interface Review {
  id: string;
  reviewer: { id: string };
  rating: number;
}

interface ReviewPage extends Page<Review> {
  summary: { averageRating: number; totalReviews: number };
  mine: Review | null;
}

describe(withSeed('users who act at the same time'), () => {
  let pulso: TestPulso;
  let coaches: ApiClient[];
  let members: ApiClient[];
  let posts: ApiPost[];

  beforeAll(async () => {
    pulso = await startPulso();
    const authors = await Promise.all(
      Array.from({ length: COACHES }, (_, index) => aCoachWithPosts(pulso, `coach-${index}`)),
    );
    coaches = authors.map(({ coach }) => coach);
    posts = authors.flatMap((author) => author.posts);
    members = await Promise.all(Array.from({ length: MEMBERS }, (_, index) => pulso.user(`member-${index}`)));
    await pulso.drainEvents();
  });
  afterAll(() => pulso?.close());

  const followingOf = (member: ApiClient) => userIds(member, `/api/users/${member.userId}/following`);
  const wantedFeed = (member: ApiClient, following: readonly string[], blocked: readonly string[] = []) =>
    oracleFeed(posts, {
      viewerId: member.userId,
      following: new Set(following),
      blocked: new Set(blocked),
    });

  it(`${WRITES} follows and unfollows from two devices each end in the same state everywhere`, async () => {
    const devices = members.flatMap((member) => [member, elsewhere(member)]);
    /** The last acknowledged state by device and coach. */
    const told = devices.map(() => new Map<string, boolean>());
    await Promise.all(
      devices.map(async (device, place) => {
        for (let count = 0; count < WRITES / devices.length; count += 1) {
          const { userId } = dice.pick(coaches);
          const active = dice.chance(1 / 2);
          const answer = await device.call<{ following: boolean }>(
            active ? 'PUT' : 'DELETE',
            `/api/users/${userId}/follow`,
          );
          expect([answer.status, answer.body.following]).toEqual([200, active]);
          told[place]!.set(userId, active);
        }
      }),
    );

    let disputed = 0;
    for (const [index, member] of members.entries()) {
      // One more write: the feed requested next must also contain all earlier writes.
      const last = dice.pick(coaches).userId;
      expect((await member.put(`/api/users/${last}/follow`)).status).toBe(200);
      const following = await followingOf(member);
      const wanted = wantedFeed(member, following);
      expect(await feedIds(member)).toEqual(wanted);
      await untilFeedIs(elsewhere(member), wanted);
      for (const { userId } of coaches.filter(({ userId: id }) => id !== last)) {
        const outcomes = [told[2 * index]!.get(userId), told[2 * index + 1]!.get(userId)];
        expect(outcomes.map((outcome) => outcome ?? false)).toContain(following.includes(userId));
        if (outcomes.includes(true) && outcomes.includes(false)) disputed += 1;
      }
    }
    // A race in which the two devices of each member agree at the end would prove nothing.
    expect(disputed).toBeGreaterThan(0);

    const lists = await Promise.all(members.map(followingOf));
    for (const { userId } of coaches) {
      const followers = lists.filter((list) => list.includes(userId)).length;
      const { body } = await pulso.visitor().get<Profile>(`/api/users/${userId}`);
      expect(body.stats.followers).toBe(followers);
      expect(await userIds(pulso.visitor(), `/api/users/${userId}/followers`)).toHaveLength(followers);
    }
    for (const [index, { userId }] of members.entries()) {
      const { body } = await pulso.visitor().get<Profile>(`/api/users/${userId}`);
      expect(body.stats.following).toBe(lists[index]!.length);
    }
  });

  it('repeated, shuffled and concurrent graph events end in the newest state of each', async () => {
    const viewers = await Promise.all([0, 1, 2].map((index) => pulso.user(`viewer-${index}`)));
    const from = Date.now() * 1000;
    const follows = new Map<string, Set<string>>(viewers.map(({ userId }) => [userId, new Set()]));
    const blocks = new Map<string, Set<string>>(viewers.map(({ userId }) => [userId, new Set()]));
    const events = viewers.flatMap((viewer) =>
      coaches.flatMap((coach) =>
        Array.from({ length: 8 }, (_, step) => {
          const [follow, block] = [dice.chance(1 / 2), dice.chance(1 / 4)];
          const [followerId, targetId] = [viewer.userId, coach.userId];
          const followed = follows.get(followerId)!;
          const blocked = blocks.get(followerId)!;
          if (follow) followed.add(targetId);
          else followed.delete(targetId);
          if (block) blocked.add(targetId);
          else blocked.delete(targetId);
          const version = from + step;
          return [
            eventOf(followTopic, { followerId, targetId, version, active: follow }),
            eventOf(blockTopic, { blockerId: targetId, blockedId: followerId, version, active: block }),
          ];
        }).flat(),
      ),
    );
    // With another id, because a bus that deduplicates by id would drop the second one.
    const again = events.map((event) => ({ ...event, id: `${event.id}/again` }));
    const all = dice.shuffled([...events, ...again]);
    const batches = Array.from({ length: 40 }, (_, place) =>
      all.filter((_event, index) => index % 40 === place),
    );
    await Promise.all(batches.map((batch) => pulso.publish(batch)));
    await pulso.drainEvents();
    for (const viewer of viewers) {
      const { userId } = viewer;
      const wanted = wantedFeed(viewer, [...follows.get(userId)!], [...blocks.get(userId)!]);
      await untilFeedIs(viewer, wanted);
    }
  });

  it('reviews: one row per member, and a summary counted from the rows, after any race', async () => {
    const path = `/api/coaches/${coaches[0]!.userId}/reviews`;
    const devices = members.flatMap((member) => [member, elsewhere(member)]);
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all(
        devices.map(async (device) => {
          if (dice.chance(1 / 4)) return { device, status: (await device.delete(`${path}/mine`)).status };
          const body = { rating: 1 + dice.below(5), comment: `round ${round}` };
          const answer = await device.call<Review>('PUT', `${path}/mine`, body);
          return { device, status: answer.status };
        }),
      );
      expect(answers.filter(({ status }) => ![200, 201, 204].includes(status))).toEqual([]);
      const { body: page } = await members[0]!.get<ReviewPage>(`${path}?limit=100`);
      const reviewers = page.items.map(({ reviewer }) => reviewer.id);
      expect(new Set(reviewers).size).toBe(reviewers.length);
      const sum = page.items.reduce((total, { rating }) => total + rating, 0);
      const count = page.items.length;
      expect(page.summary).toEqual({
        averageRating: count === 0 ? 0 : Math.round((sum / count) * 10) / 10,
        totalReviews: count,
      });
      for (const member of members) {
        const { mine } = (await member.get<ReviewPage>(path)).body;
        expect(mine).toEqual(page.items.find(({ reviewer }) => reviewer.id === member.userId) ?? null);
      }
    }
  });
});
