import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { userFiguresTopic } from '@pulso/contracts/topics/social';
import { PublishFigures } from '../src/figures/publish-figures.js';
import { type Person, Social, outcome, seeded, summaryOf } from './start.js';

let social: Social;
beforeEach(async () => (social = await Social.start()));
afterEach(() => social.stop());

interface Sums {
  id: string;
  followers: number;
  ratings: number;
  reviews: number;
}

const part = (name: string) => `(SELECT coalesce(sum(${name}), 0)::int FROM (
  SELECT user_id, ${name} FROM user_figures UNION ALL SELECT user_id, ${name} FROM figure_changes) AS part
  WHERE user_id = id)`;

/** What is kept of each user, the changes that are not in it yet included. */
const keptSums = () =>
  social.rows<Sums>(
    `SELECT id, ${part('follower_count')} AS followers, ${part('rating_sum')} AS ratings,
       ${part('review_count')} AS reviews FROM known_users ORDER BY id`,
  );

/** The same, counted from the rows by the plain rule. */
const countedSums = () =>
  social.rows<Sums>(
    `SELECT id,
       (SELECT count(*)::int FROM follows JOIN known_users fan ON fan.id = follower_id
        WHERE target_id = u.id AND deleted_at IS NULL AND fan.status = 'active') AS followers,
       (SELECT coalesce(sum(rating), 0)::int FROM reviews JOIN known_users fan ON fan.id = reviewer_id
        WHERE coach_id = u.id AND deleted_at IS NULL AND fan.status = 'active') AS ratings,
       (SELECT count(*)::int FROM reviews JOIN known_users fan ON fan.id = reviewer_id
        WHERE coach_id = u.id AND deleted_at IS NULL AND fan.status = 'active') AS reviews
     FROM known_users u ORDER BY id`,
  );

const published = ({ id }: Person) => social.deliveredState(userFiguresTopic, id);

// Rule: PEOPLE-41
describe('kept figures', () => {
  it.each([1, 2, 3, 4])(
    'equal the counted ones under concurrent follows, blocks, reviews, suspensions and deletions (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      const people = await Promise.all(Array.from({ length: 8 }, () => social.coach()));
      const someone = () => people[Math.floor(random() * people.length)]!;
      const statuses = [
        ...Array<UserStatus>(4).fill(UserStatus.USER_STATUS_ACTIVE),
        ...[UserStatus.USER_STATUS_SUSPENDED, UserStatus.USER_STATUS_DELETED],
      ];
      const step = (): (() => Promise<unknown>) => {
        const [kind, one, other] = [random(), someone(), someone()];
        if (kind < 0.3) return () => social.follow(one, other);
        if (kind < 0.45) return () => social.unfollow(one, other);
        if (kind < 0.5) return () => social.block(one, other);
        if (kind < 0.55) return () => social.unblock(one, other);
        const rating = 1 + Math.floor(random() * 5);
        if (kind < 0.75) return () => social.review(one, other, rating);
        const { id: coachId } = other;
        if (kind < 0.83) return () => social.as(one, (client) => client.deleteReview({ coachId }));
        const status = statuses[Math.floor(random() * statuses.length)]!;
        return () => social.changeSoon(one, { status });
      };
      const steps = Array.from({ length: 200 }, step).values();
      const outcomes: string[] = [];
      const client = async () => {
        for (const take of steps) outcomes.push(await outcome(take()));
      };
      let writing = true;
      const publisher = async () => {
        while (writing) await social.service.get(PublishFigures).execute();
      };
      const publishing = publisher();
      await Promise.all(Array.from({ length: 12 }, client));
      writing = false;
      await publishing;
      await social.drainEvents();

      expect(outcomes.filter((one) => one === 'resolved').length).toBeGreaterThan(80);
      for (const one of new Set(outcomes)) expect(one).toMatch(/resolved|permission|not-found|unprocessable/);
      const counted = await countedSums();
      expect(counted.some(({ followers, ratings }) => followers > 0 && ratings > 0)).toBe(true);
      expect(await keptSums()).toEqual(counted);

      await social.publishFigures();
      for (const { id, followers, ratings, reviews } of counted) {
        const state = social.deliveredState(userFiguresTopic, id);
        expect([state?.followerCount ?? 0, state?.ratingSum ?? 0, state?.reviewCount ?? 0]).toEqual([
          ...[followers, ratings, reviews],
        ]);
      }
      expect(await social.rows('SELECT FROM figure_changes')).toEqual([]);
      expect(await social.command('recount-figures')).toEqual(['8 users counted, 0 corrected.']);
    },
  );

  it('are right in the answer of each write, whether they are published or not', async () => {
    const coach = await social.coach();
    for (let count = 1; count <= 3; count += 1) {
      const fan = await social.person();
      expect(await social.follow(fan, coach)).toEqual({ following: true, followerCount: count });
      await social.review(fan, coach, count);
      expect(summaryOf(await social.reviews(null, coach)).totalReviews).toBe(count);
      if (count === 2) await social.publishFigures();
    }
    expect(await social.relation(null, coach)).toMatchObject({
      followerCount: 3,
      rating: { averageRating: 2, totalReviews: 3 },
    });
  });

  it('are published once for many changes', async () => {
    const [coach, fans] = [await social.coach(), [] as Person[]];
    for (let count = 0; count < 6; count += 1) fans.push(await social.person());
    await social.publishFigures();
    const release = await anotherAdds();
    await Promise.all(fans.map((fan) => social.follow(fan, coach)));
    await social.service.get(PublishFigures).execute();
    await social.drainEvents();
    expect(published(coach)).toBeUndefined();
    await release();
    await social.publishFigures();
    expect(published(coach)).toEqual({
      ...{ userId: coach.id, version: social.clock.now() * 1000 },
      ...{ followerCount: 6, ratingSum: 0, reviewCount: 0 },
    });
  });

  it('are corrected by a recount while they are written', async () => {
    const [coach, fans] = [await social.coach(), [] as Person[]];
    for (let count = 0; count < 10; count += 1) fans.push(await social.person());
    for (const fan of fans.slice(0, 5)) await social.follow(fan, coach);
    await social.publishFigures();
    await social.service.tamper('UPDATE user_figures SET follower_count = 99, rating_sum = 3');
    const [lines] = await Promise.all([
      social.command('recount-figures'),
      ...fans.slice(5).map((fan) => social.follow(fan, coach)),
      social.service.get(PublishFigures).execute(),
    ]);
    expect(lines).toEqual(['11 users counted, 1 corrected.']);
    expect(await keptSums()).toEqual(await countedSums());
    await social.publishFigures();
    expect(published(coach)).toMatchObject({ followerCount: 10, ratingSum: 0 });
  });

  it('are restored by a recount when all are lost', async () => {
    const [coach, fan] = [await social.coach(), await social.person()];
    await social.follow(fan, coach);
    await social.review(fan, coach, 4);
    await social.publishFigures();
    await social.service.tamper('TRUNCATE user_figures, figure_changes');
    expect(await social.relation(null, coach)).toMatchObject({ followerCount: 0 });
    expect(await social.command('recount-figures')).toEqual(['2 users counted, 1 corrected.']);
    expect(await social.relation(null, coach)).toMatchObject({
      followerCount: 1,
      rating: { averageRating: 4 },
    });
  });
});

/** Holds the lock of the process that adds changes, in place of another process. Returns what releases it. */
async function anotherAdds(): Promise<() => Promise<void>> {
  const client = await social.service.pool.connect();
  const key = "hashtextextended('social.figures.adding', 0)";
  await client.query(`SELECT pg_advisory_lock(${key})`);
  return async () => {
    await client.query(`SELECT pg_advisory_unlock(${key})`);
    client.release();
  };
}
