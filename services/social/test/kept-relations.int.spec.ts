import { jest } from '@jest/globals';
import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { DirectBus } from '@pulso/platform/testing/direct-bus';
import { PublishedUsers } from '@pulso/platform/testing/published-users';
import { type Replica, TestService } from '@pulso/platform/testing/test-service';
import { namesDuring } from '@pulso/platform/testing/transactions';
import { until } from '@pulso/platform/testing/until';
import { social as definition } from '../src/service.js';
import { SocialRows } from '../src/store/social-rows.js';
import type { SocialClient } from './start.js';

const contract = rpcContracts.social;
type Definition = (typeof contract)['definition'];

describe('the kept relations of social', () => {
  let service: TestService<Definition, DirectBus>;
  let other: Replica<Definition>;
  let users: PublishedUsers;
  beforeAll(async () => {
    service = await TestService.start(definition, contract, { bus: new DirectBus() });
    other = await service.startReplica();
    users = new PublishedUsers(service.clock);
  });
  afterAll(async () => {
    await other?.stop();
    await service?.stop();
  });
  afterEach(() => jest.restoreAllMocks());

  const person = async (fields: Partial<UserState> = {}) => {
    const state = users.first(fields);
    await service.tell(userTopic, state);
    return state.id;
  };
  const as = async <T>(
    user: string | null,
    call: (client: SocialClient) => Promise<T>,
    after: ConsistencyToken[] = [],
  ) => {
    const wrote: ConsistencyToken[] = [];
    return { answer: await service.as(user, call, { wrote, after }), wrote };
  };
  const relations = async (
    viewer: string | null,
    userIds: string[],
    { by = service.client as SocialClient, after = [] as ConsistencyToken[] } = {},
  ) => (await as(viewer, () => by.getRelations({ userIds }), after)).answer.relations;
  const relation = async (viewer: string | null, user: string, how?: Parameters<typeof relations>[2]) =>
    (await relations(viewer, [user], how))[0]!;
  const follow = (user: string, userId: string) => as(user, (client) => client.followUser({ userId }));
  const review = (user: string, coachId: string, rating: number) =>
    as(user, (client) =>
      client.putReview({
        ...{ coachId, rating, comment: 'Strong and kind' },
        idempotency: { key: '', scope: `PUT ${coachId}`, bodyHash: 'hash' },
      }),
    );
  const asked = async (read: () => Promise<unknown>) =>
    (await namesDuring(read)).filter((name) => name.startsWith('relations.'));

  it('cost one statement for many users, and none the second time', async () => {
    const [viewer, ...many] = await Promise.all([person(), person(), person(), person()]);
    service.get(SocialRows).allChanged();
    const read = () => relations(viewer!, many);
    expect(await asked(read)).toEqual(['relations.among']);
    expect(await asked(read)).toEqual([]);
    expect(await asked(() => relations(viewer!, [viewer!, ...many, viewer!]))).toEqual(['relations.among']);
    expect(await asked(() => relations(null, many))).toEqual(['relations.among']);
  });

  it('are read anew after each change, of those concerned alone', async () => {
    const [ana, ben] = [await person(), await person({ isCoach: true })];
    const [cleo, dan] = [await person(), await person()];
    for (const viewer of [ana, ben, cleo]) await relations(viewer, [ana, ben, dan]);
    await follow(ana, ben);
    expect(await relation(ana, ben)).toMatchObject({ following: true, followerCount: 1 });
    expect(await relation(ben, ana)).toMatchObject({ followsYou: true, followingCount: 1 });
    expect(await relation(cleo, ben)).toMatchObject({ following: false, followerCount: 1 });
    expect(await asked(() => relation(cleo, dan))).toEqual([]);
    await review(ana, ben, 4);
    expect(await relation(ana, ben)).toMatchObject({ reviewed: true, rating: { averageRating: 4 } });
    expect(await relation(cleo, ben)).toMatchObject({ reviewed: false, rating: { totalReviews: 1 } });
    await as(ana, (client) => client.deleteReview({ coachId: ben }));
    expect(await relation(ana, ben)).toMatchObject({ reviewed: false, rating: { totalReviews: 0 } });
    await as(ben, (client) => client.blockUser({ userId: ana }));
    expect(await relation(ana, ben)).toMatchObject({ following: false, blockedBy: true, followerCount: 0 });
    expect(await relation(ben, ana)).toMatchObject({ blocked: true, followingCount: 0 });
    await as(ben, (client) => client.unblockUser({ userId: ana }));
    expect(await relation(ana, ben)).toMatchObject({ blockedBy: false });
    expect(await asked(() => relation(cleo, dan))).toEqual([]);
  });

  // Rule: PEOPLE-38
  it('count nobody who is suspended, from the moment at which social hears of it', async () => {
    const [ana, ben] = [await person(), await person()];
    await follow(ana, ben);
    for (const [status, count] of [
      [UserStatus.USER_STATUS_SUSPENDED, 0],
      [UserStatus.USER_STATUS_ACTIVE, 1],
    ] as const) {
      await relation(null, ben);
      await service.tell(userTopic, users.next({ id: ana }, { status }));
      expect(await relation(null, ben)).toMatchObject({ followerCount: count });
    }
  });

  // Rule: HTTP-3
  it('show a user their own changes at every replica, also where no signal comes', async () => {
    jest.spyOn(InProcessSignals.prototype, 'send').mockImplementation(() => undefined);
    const [ana, ben] = [await person(), await person({ isCoach: true })];
    const there = (after: ConsistencyToken[] = []) => relation(ana, ben, { by: other.client, after });
    const own = (after: ConsistencyToken[]) => relation(ana, ana, { by: other.client, after });
    await there();
    await own([]);
    const followed = (await follow(ana, ben)).wrote;
    expect(await there(followed)).toMatchObject({ following: true, followerCount: 1 });
    expect(await own(followed)).toMatchObject({ followingCount: 1 });
    expect(await there((await review(ana, ben, 3)).wrote)).toMatchObject({ reviewed: true });
    const { wrote } = await as(ana, (client) => client.blockUser({ userId: ben }));
    expect(await there(wrote)).toMatchObject({ blocked: true, following: false, followerCount: 0 });
    expect(await own(wrote)).toMatchObject({ followingCount: 0 });
  });

  it('are read anew by other replicas once they hear of a change', async () => {
    const [ana, ben] = [await person(), await person()];
    const there = () => relation(null, ben, { by: other.client });
    expect(await there()).toMatchObject({ followerCount: 0 });
    await follow(ana, ben);
    await until(async () => (await there()).followerCount === 1, { what: 'the other replica’s hearing' });
  });

  it('are corrected by a recount', async () => {
    const ben = await person();
    await service.tamper('INSERT INTO user_figures VALUES ($1, 7, 0, 0, 1)', [ben]);
    expect(await relation(null, ben)).toMatchObject({ followerCount: 7 });
    const recount = definition.commands['recount-figures']!;
    await recount.prepare({ operands: [], options: {} } as never)(service.running);
    expect(await relation(null, ben)).toMatchObject({ followerCount: 0 });
  });
});
