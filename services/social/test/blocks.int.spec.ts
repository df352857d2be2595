import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { blockTopic, followTopic } from '@pulso/contracts/topics/social';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { type Person, Social, comments, names, outcome, summaryOf } from './start.js';

let social: Social;
beforeAll(async () => (social = await Social.start()));
afterAll(() => social?.stop());

const key = (one: Person, other: Person) => `${one.id}_${other.id}`;
const NOT_FOUND = 'not-found not-found';

const blocks = (user: Person, limit = 0, cursor = '') =>
  social.as(user, (client) => client.listBlocks({ limit, cursor }));

describe('blocking', () => {
  // Rule: PEOPLE-22
  it('ends follows both ways in the same write and publishes all three changes', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    await social.follow(ana, ben);
    await social.follow(ben, ana);
    const wrote: ConsistencyToken[] = [];
    await social.block(ana, ben, wrote);
    expect(wrote.map((mark) => `${mark.topic} ${mark.key}`)).toEqual([
      `${blockTopic.name} ${key(ana, ben)}`,
      `${followTopic.name} ${key(ana, ben)}`,
      `${followTopic.name} ${key(ben, ana)}`,
    ]);
    await social.drainEvents();
    expect(social.deliveredState(blockTopic, key(ana, ben))).toMatchObject({ active: true });
    expect(social.deliveredState(followTopic, key(ana, ben))).toMatchObject({ active: false });
    expect(social.deliveredState(followTopic, key(ben, ana))).toMatchObject({ active: false });
    expect(await social.relation(ana, ben)).toMatchObject({
      following: false,
      followsYou: false,
      blocked: true,
      blockedBy: false,
      followerCount: 0,
    });
    expect(await social.relation(ben, ana)).toMatchObject({ blocked: false, blockedBy: true });
  });

  it('creates no record of a follow that never existed', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    await social.block(ana, ben);
    expect(await social.rows('SELECT FROM follows WHERE follower_id = ANY($1)', [[ana.id, ben.id]])).toEqual(
      [],
    );
  });

  // Rule: PEOPLE-19, PEOPLE-22, PEOPLE-24
  it('lets neither follow the other until it is lifted, and restores no follow', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    await social.follow(ben, ana);
    await social.block(ana, ben);
    expect(await outcome(social.follow(ben, ana))).toBe('permission-denied blocked');
    expect(await outcome(social.follow(ana, ben))).toBe('permission-denied blocked');
    expect(await outcome(social.unfollow(ben, ana))).toBe('permission-denied blocked');
    expect(await outcome(social.unfollow(ana, ben))).toBe('permission-denied blocked');
    await social.unblock(ana, ben);
    await social.drainEvents();
    expect(social.deliveredState(blockTopic, key(ana, ben))).toMatchObject({ active: false });
    expect(await social.relation(ben, ana)).toMatchObject({ following: false, blockedBy: false });
    expect(await social.follow(ben, ana)).toEqual({ following: true, followerCount: 1 });
  });

  // Rule: PEOPLE-22
  it('is idempotent in both directions and may be mutual', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    await social.unblock(ana, ben);
    await social.block(ana, ben);
    await social.block(ana, ben);
    await social.block(ben, ana);
    await social.unblock(ana, ben);
    await social.unblock(ana, ben);
    expect(await social.relation(ana, ben)).toMatchObject({ blocked: false, blockedBy: true });
    expect(await outcome(social.follow(ana, ben))).toBe('permission-denied blocked');
  });

  // Rule: PEOPLE-22
  it('refuses oneself and unknown users', async () => {
    const ana = await social.person();
    expect(await outcome(social.block(ana, ana))).toBe('unprocessable cannot-block-self');
    expect(await outcome(social.unblock(ana, ana))).toBe('unprocessable cannot-block-self');
    expect(await outcome(social.block(ana, { id: 'nonsense', name: '' }))).toBe(NOT_FOUND);
  });
});

// Rule: PEOPLE-23
describe('between two users with a block', () => {
  it('hides the blocker’s lists and reviews from the blocked, who get not-found', async () => {
    const [coach, ben] = [await social.coach(), await social.person()];
    await social.block(coach, ben);
    expect(await outcome(social.followers(ben, coach))).toBe(NOT_FOUND);
    expect(await outcome(social.following(ben, coach))).toBe(NOT_FOUND);
    expect(await outcome(social.reviews(ben, coach))).toBe(NOT_FOUND);
    expect(await outcome(social.review(ben, coach))).toBe(NOT_FOUND);
    expect(await outcome(social.followers(null, coach))).toBe('resolved');
  });

  it('shows the blocker only the head of the blocked user’s profile', async () => {
    const [ana, coach, fan] = [await social.person(), await social.coach(), await social.person()];
    await social.review(ana, coach, 4, 'Mine');
    await social.review(fan, coach, 5, 'Theirs');
    await social.follow(fan, coach);
    await social.block(ana, coach);
    expect(await social.followers(ana, coach)).toEqual({ items: [], nextCursor: '' });
    const page = await social.reviews(ana, coach);
    expect(comments(page)).toEqual([]);
    expect(page.mine?.comment).toBe('Mine');
    expect(summaryOf(page)).toEqual({ averageRating: 4.5, totalReviews: 2 });
    expect(await outcome(social.review(ana, coach))).toBe('permission-denied blocked');
    await social.as(ana, (client) => client.deleteReview({ coachId: coach.id }));
    expect((await social.reviews(ana, coach)).mine).toBeUndefined();
  });

  it('hides each from the other in lists and reviews of third parties', async () => {
    const [ana, ben, coach] = [await social.person(), await social.person(), await social.coach()];
    for (const person of [ana, ben]) {
      await social.follow(person, coach);
      await social.follow(coach, person);
      await social.review(person, coach, 5, person.name);
    }
    await social.block(ana, ben);
    for (const [viewer, shown] of [
      [ana, [ana.name]],
      [ben, [ben.name]],
      [null, [ana.name, ben.name].sort()],
    ] as const) {
      expect(names(await social.followers(viewer, coach)).sort()).toEqual(shown);
      expect(names(await social.following(viewer, coach)).sort()).toEqual(shown);
      expect(comments(await social.reviews(viewer, coach)).sort()).toEqual(shown);
    }
  });
});

// Rule: PEOPLE-26
describe('the list of blocks', () => {
  it('pages the caller’s own, latest first, suspended users included', async () => {
    const ana = await social.person();
    const others = [await social.person(), await social.person(), await social.person()] as const;
    for (const other of others) {
      social.clock.advance(1);
      await social.block(ana, other);
    }
    await social.change(others[1], {
      status: UserStatus.USER_STATUS_SUSPENDED,
      profileImageId: 'picture',
    });
    await social.unblock(ana, others[0]);
    const first = await blocks(ana, 1);
    expect(names(first)).toEqual([others[2].name]);
    const second = await blocks(ana, 1, first.nextCursor);
    expect(names(second)).toEqual([others[1].name]);
    expect(second.items[0]!.profileImageId).toBe('');
    expect(second.nextCursor).toBe('');
    await social.change(others[1], { status: UserStatus.USER_STATUS_DELETED });
    expect(names(await blocks(ana))).toEqual([others[2].name]);
  });

  it('requires a caller, and shows no other user’s blocks', async () => {
    const visiting = social.as(null, (client) => client.listBlocks({ limit: 0, cursor: '' }));
    expect(await outcome(visiting)).toBe('unauthenticated not-authenticated');
    expect(await blocks(await social.person())).toEqual({ items: [], nextCursor: '' });
  });
});
