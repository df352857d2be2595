import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { followTopic } from '@pulso/contracts/topics/social';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { graphChannel, Signals } from '@pulso/platform/signals/signals';
import { transactionsDuring } from '@pulso/platform/testing/transactions';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { type Person, Social, names, outcome } from './start.js';

let social: Social;
beforeAll(async () => (social = await Social.start()));
afterAll(() => social?.stop());

const key = (follower: Person, target: Person) => `${follower.id}_${target.id}`;

describe('following', () => {
  it('follows and unfollows, counting rows, with an event for each change', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    const wrote: ConsistencyToken[] = [];
    expect(await social.follow(ana, ben, wrote)).toEqual({ following: true, followerCount: 1 });
    expect(wrote).toEqual([
      { topic: followTopic.name, key: key(ana, ben), version: social.clock.now() * 1000 },
    ]);
    const state = { followerId: ana.id, targetId: ben.id };
    // A write waits for its delivery, but on a busy machine not long enough for this.
    await social.drainEvents();
    expect(social.deliveredState(followTopic, key(ana, ben))).toMatchObject({ ...state, active: true });

    expect(await social.unfollow(ana, ben)).toEqual({ following: false, followerCount: 0 });
    await social.drainEvents();
    expect(social.deliveredState(followTopic, key(ana, ben))).toMatchObject({
      ...state,
      active: false,
      version: wrote[0]!.version + 1,
    });
  });

  // Rule: PEOPLE-18
  it('is idempotent: repeats change nothing and still return a consistency token', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    const [first, second]: ConsistencyToken[][] = [[], []];
    await social.follow(ana, ben, first);
    social.clock.advance(1000);
    expect(await social.follow(ana, ben, second)).toEqual({ following: true, followerCount: 1 });
    expect(second).toEqual(first);
    social.clock.advance(60_000);
    const late: ConsistencyToken[] = [];
    await social.follow(ana, ben, late);
    expect(late).toEqual([]);
  });

  // Rule: PEOPLE-18
  it('accepts unfollowing a user who was never followed and keeps a record of it', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    expect(await social.unfollow(ana, ben)).toEqual({ following: false, followerCount: 0 });
    const rows = await social.rows('SELECT deleted_at FROM follows WHERE follower_id = $1', [ana.id]);
    expect(rows).toEqual([{ deleted_at: new Date(social.clock.now()) }]);
  });

  // Rule: PEOPLE-19
  it('refuses oneself, unknown, malformed, suspended and deleted users, and visitors', async () => {
    const ana = await social.person();
    const suspended = await social.person({ status: UserStatus.USER_STATUS_SUSPENDED });
    const deleted = await social.person({ status: UserStatus.USER_STATUS_DELETED });
    const ages = [3_600_000, 1_000, 0, -60_000];
    const unknown = ages.map((age) => ({ id: newIdAt(social.clock.now() - age), name: '' }));
    expect(await outcome(social.follow(ana, ana))).toBe('unprocessable cannot-follow-self');
    expect(await outcome(social.unfollow(ana, ana))).toBe('unprocessable cannot-follow-self');
    for (const target of [...unknown, { id: 'nonsense', name: '' }, deleted]) {
      expect(await outcome(social.follow(ana, target))).toBe('not-found not-found');
      expect(await outcome(social.unfollow(ana, target))).toBe('not-found not-found');
      expect(await outcome(social.unblock(ana, target))).toBe('not-found not-found');
    }
    expect(await outcome(social.follow(ana, suspended))).toBe('not-found not-found');
    const visiting = social.as(null, (client) => client.followUser({ userId: ana.id }));
    expect(await outcome(visiting)).toBe('unauthenticated not-authenticated');
    expect(await outcome(social.follow(suspended, ana))).toBe('permission-denied user-disabled');
    expect(await outcome(social.unfollow(ana, suspended))).toBe('resolved');
  });

  // Rule: HTTP-30
  it('is unavailable while the state of the caller, or of a user whom a token names, has not arrived', async () => {
    const hasty = await Social.start({ READ_WAIT_MS: '0', WRITE_WAIT_MS: '0' });
    onTestEnd(() => hasty.stop());
    const ana = await hasty.person();
    const stranger = { id: newIdAt(hasty.clock.now()), name: '' };
    expect(await outcome(hasty.follow(stranger, ana))).toBe('unavailable unavailable');
    const after = [{ topic: userTopic.name, key: stranger.id, version: 1 }];
    const following = hasty.as(ana, (client) => client.followUser({ userId: stranger.id }), [], after);
    expect(await outcome(following)).toBe('unavailable unavailable');
    const asked = { userId: stranger.id, limit: 0, cursor: '' };
    const reading = hasty.as(null, (client) => client.listFollowers(asked), [], after);
    expect(await outcome(reading)).toBe('unavailable unavailable');
  });

  // Rule: HTTP-30
  it('waits for a user whom a token names', async () => {
    const [ana, ben] = [await social.person(), { id: newIdAt(social.clock.now()), name: 'Ben' }];
    const after = [{ topic: userTopic.name, key: ben.id, version: 1 }];
    const following = social.as(ana, (client) => client.followUser({ userId: ben.id }), [], after);
    await social.changeSoon(ben, { name: 'Ben', username: 'ben', status: UserStatus.USER_STATUS_ACTIVE });
    expect(await following).toEqual({ following: true, followerCount: 1 });
  });

  // Rule: HTTP-3
  it('waits for the caller’s writes to other services before a write', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    const after = [{ topic: userTopic.name, key: ana.id, version: 2 }];
    const following = social.as(ana, (client) => client.followUser({ userId: ben.id }), [], after);
    await social.change(ana, { name: 'Ana Ruiz' });
    await following;
    expect(names(await social.followers(null, ben))).toEqual(['Ana Ruiz']);
  });
});

// Rule: PEOPLE-20
describe('lists of follows', () => {
  it('pages latest first, each once, also when several began in the same millisecond', async () => {
    const star = await social.person();
    const fans: Person[] = [];
    for (let count = 0; count < 7; count += 1) {
      const fan = await social.person();
      if (count % 3 === 0) social.clock.advance(1);
      await social.follow(fan, star);
      fans.push(fan);
    }
    const all = await social.followers(null, star);
    expect(all.nextCursor).toBe('');
    expect([...names(all)].sort()).toEqual(fans.map(({ name }) => name).sort());
    expect(names(all)[0]).toBe(fans.at(-1)!.name);

    const paged: string[] = [];
    let cursor = '';
    do {
      const page = await social.followers(null, star, { limit: 2, cursor });
      expect(page.items.length).toBeLessThanOrEqual(2);
      paged.push(...names(page));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(paged).toEqual(names(all));
  });

  it('binds cursors to the viewer and the list, and limits to 1–100', async () => {
    const [star, one, two] = [await social.person(), await social.person(), await social.person()];
    await social.follow(one, star);
    await social.follow(two, star);
    const { nextCursor } = await social.followers(one, star, { limit: 1 });
    const invalid = 'invalid-argument invalid-cursor';
    expect(await outcome(social.followers(two, star, { cursor: nextCursor }))).toBe(invalid);
    expect(await outcome(social.following(one, star, { cursor: nextCursor }))).toBe(invalid);
    expect(await outcome(social.followers(one, two, { cursor: nextCursor }))).toBe(invalid);
    expect(await outcome(social.followers(one, star, { cursor: nextCursor }))).toBe('resolved');
    for (const limit of [-1, 101]) {
      expect(await outcome(social.followers(one, star, { limit }))).toBe(
        'invalid-argument validation-failed',
      );
    }
  });

  it('shows users’ current profiles and leaves suspended and deleted users out of lists and counts', async () => {
    const [star, fan, gone] = [await social.coach(), await social.person(), await social.person()];
    await social.follow(fan, star);
    await social.follow(gone, star);
    await social.change(fan, { name: 'Renamed', profileImageId: 'picture', isCoach: true });
    await social.change(gone, { status: UserStatus.USER_STATUS_SUSPENDED });
    expect((await social.followers(null, star)).items).toEqual([
      {
        id: fan.id,
        name: 'Renamed',
        username: expect.stringMatching(/^person-/) as string,
        profileImageId: 'picture',
        isCoach: true,
      },
    ]);
    expect(await social.relation(null, star)).toMatchObject({ followerCount: 1, followingCount: 0 });
    await social.change(gone, { status: UserStatus.USER_STATUS_ACTIVE });
    expect(await social.relation(null, star)).toMatchObject({ followerCount: 2 });
  });

  it('is not found for unknown, malformed and suspended users', async () => {
    const suspended = await social.person({ status: UserStatus.USER_STATUS_SUSPENDED });
    const unknown = newIdAt(social.clock.now() - 3_600_000);
    for (const id of [unknown, 'nonsense', suspended.id]) {
      expect(await outcome(social.followers(null, { id, name: '' }))).toBe('not-found not-found');
    }
  });
});

// Rule: NOTIF-10
describe('signals', () => {
  it('are sent to both after a follow and its end, after a block and its end to the blocker alone', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    const heard: string[] = [];
    const names = new Map([
      [graphChannel(ana.id, ben.id), 'ana of ben'],
      [graphChannel(ben.id, ana.id), 'ben of ana'],
    ]);
    const stop = social.service.get(Signals).listen({
      heard: (channel) => names.has(channel) && heard.push(names.get(channel)!),
    });
    // Signals arrive one turn later, in the order in which they were sent.
    const all = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return heard.splice(0);
    };
    await social.follow(ana, ben);
    expect(await all()).toEqual(['ana of ben', 'ben of ana']);
    await social.unfollow(ana, ben);
    expect(await all()).toEqual(['ana of ben', 'ben of ana']);
    await social.block(ben, ana);
    expect(await all()).toEqual(['ben of ana']);
    await social.unblock(ben, ana);
    expect(await all()).toEqual(['ben of ana']);
    await social.block(ben, ana);
    await all();
    expect(await outcome(social.follow(ana, ben))).toBe('permission-denied blocked');
    expect(await all()).toEqual([]);
    stop();
  });
});

describe('relations', () => {
  it('returns both directions for each user, in the requested order, zero for unknown ones', async () => {
    const [ana, ben, eva] = [await social.person(), await social.person(), await social.person()];
    await social.follow(ana, ben);
    await social.follow(eva, ana);
    const { relations } = await social.as(ana, (client) =>
      client.getRelations({ userIds: [eva.id, 'nonsense', ben.id, ben.id] }),
    );
    const flags = { blocked: false, blockedBy: false, reviewed: false };
    const rating = { averageRating: 0, totalReviews: 0 };
    const toBen = {
      ...{ ...flags, rating, userId: ben.id, following: true, followsYou: false },
      ...{ followerCount: 1, followingCount: 0 },
    };
    expect(relations).toEqual([
      {
        ...{ ...flags, rating, userId: eva.id, following: false, followsYou: true },
        ...{ followerCount: 0, followingCount: 1 },
      },
      {
        ...{ ...flags, rating, userId: 'nonsense', following: false, followsYou: false },
        ...{ followerCount: 0, followingCount: 0 },
      },
      toBen,
      toBen,
    ]);
    expect(await social.relation(null, ben)).toMatchObject({ following: false, followerCount: 1 });
  });

  it('refuses more than 100 users', async () => {
    const ask = (count: number) =>
      social.as(null, (client) => client.getRelations({ userIds: Array<string>(count).fill('x') }));
    expect(await outcome(ask(100))).toBe('resolved');
    expect(await outcome(ask(101))).toBe('invalid-argument validation-failed');
  });
});

// Rule: PEOPLE-16
describe('coaches of people whom one follows', () => {
  const met = async (viewer: Person) =>
    (await social.as(viewer, (client) => client.listMetCoaches({}))).userIds;

  it('come by rating × reviews, then by followers, then by id', async () => {
    const [ana, ben, cora] = [await social.person(), await social.person(), await social.person()];
    const coaches = [await social.coach(), await social.coach(), await social.coach(), await social.coach()];
    const [unknown, followed, reviewed, alsoUnknown] = coaches as [Person, Person, Person, Person];
    await social.follow(ana, ben);
    for (const coach of coaches) await social.follow(ben, coach);
    await social.follow(cora, followed);
    await social.review(cora, reviewed, 1);
    await social.publishFigures();
    expect(await met(ana)).toEqual([reviewed.id, followed.id, unknown.id, alsoUnknown.id]);
  });

  it('are none whom the viewer follows, is, or is blocked with, no members and nobody suspended', async () => {
    const [ana, ben] = [await social.coach(), await social.person()];
    const left = await social.coach();
    const [followed, blocked, blocking, suspended] = [
      ...[await social.coach(), await social.coach()],
      ...[await social.coach(), await social.coach()],
    ] as [Person, Person, Person, Person];
    const member = await social.person();
    await social.follow(ana, ben);
    for (const each of [ana, left, followed, blocked, blocking, suspended, member]) {
      await social.follow(ben, each);
    }
    await social.follow(ana, followed);
    await social.block(ana, blocked);
    await social.block(blocking, ana);
    await social.change(suspended, { status: UserStatus.USER_STATUS_SUSPENDED });
    expect(await met(ana)).toEqual([left.id]);
    await social.unfollow(ben, left);
    expect(await met(ana)).toEqual([]);
  });

  it('are at most ten, and asked for by those who are signed in', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    await social.follow(ana, ben);
    for (let index = 0; index < 12; index += 1) await social.follow(ben, await social.coach());
    expect(await met(ana)).toHaveLength(10);
    const ask = social.as(null, (client) => client.listMetCoaches({}));
    expect(await outcome(ask)).toBe('unauthenticated not-authenticated');
  });
});

describe('the cost of a follow', () => {
  const statementsOf = async (act: () => Promise<unknown>) => {
    const transactions = await transactionsDuring(act);
    return transactions.filter((statements) => statements.includes('known-users.find-in-pair'));
  };

  it('is the lock, one write and its event; a repeated one reads instead', async () => {
    const [ana, ben] = [await social.person(), await social.person()];
    const changes = [
      [
        'START TRANSACTION',
        'known-users.find-in-pair',
        'follows.set',
        expect.stringMatching(/outbox/i),
        'COMMIT',
      ],
    ];
    expect(await statementsOf(() => social.follow(ana, ben))).toEqual(changes);
    expect(await statementsOf(() => social.follow(ana, ben))).toEqual([
      ['START TRANSACTION', 'known-users.find-in-pair', 'follows.set', 'follows.find', 'COMMIT'],
    ]);
    expect(await statementsOf(() => social.unfollow(ana, ben))).toEqual(changes);
  });
});
