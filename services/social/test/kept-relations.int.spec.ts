import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { TestService } from '@pulso/platform/testing/test-service';
import { until } from '@pulso/platform/testing/until';
import { type Reading, withReplica } from '@pulso/platform/testing/with-replica';
import { social as definition } from '../src/service.js';
import { SocialRows } from '../src/store/social-rows.js';

describe('the kept relations of social', () => {
  const replicated = withReplica((bus) => TestService.start(definition, rpcContracts.social, { bus }));
  type How = Reading<(typeof rpcContracts.social)['definition']>;

  const person = () => replicated.person();
  const coach = () => replicated.person({ isCoach: true });
  const relations = async (viewer: string | null, userIds: string[], how?: How) =>
    (await replicated.ask(viewer, (client) => client.getRelations({ userIds }), how)).relations;
  const relation = async (viewer: string | null, user: string, how?: How) =>
    (await relations(viewer, [user], how))[0]!;
  const there = (viewer: string | null, user: string, after: ConsistencyToken[] = []) =>
    relation(viewer, user, { by: replicated.other.client, after });
  const follow = (user: string, userId: string) =>
    replicated.write(user, (client) => client.followUser({ userId }));
  const block = (user: string, userId: string) =>
    replicated.write(user, (client) => client.blockUser({ userId }));
  const review = (user: string, coachId: string, rating: number) =>
    replicated.write(user, (client) =>
      client.putReview({
        ...{ coachId, rating, comment: 'Strong and kind' },
        idempotency: { key: '', scope: `PUT ${coachId}`, bodyHash: 'hash' },
      }),
    );
  const asked = (read: () => Promise<unknown>) => replicated.statements('relations.', read);

  it('cost one statement for many users, and none the second time', async () => {
    const [viewer, ...many] = await Promise.all([person(), person(), person(), person()]);
    replicated.service.get(SocialRows).allChanged();
    const read = () => relations(viewer!, many);
    expect(await asked(read)).toEqual(['relations.among']);
    expect(await asked(read)).toEqual([]);
    expect(await asked(() => relations(viewer!, [viewer!, ...many, viewer!]))).toEqual(['relations.among']);
    expect(await asked(() => relations(null, many))).toEqual(['relations.among']);
  });

  it('are read anew after each change, of those concerned alone', async () => {
    const [ana, ben] = [await person(), await coach()];
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
    await replicated.write(ana, (client) => client.deleteReview({ coachId: ben }));
    expect(await relation(ana, ben)).toMatchObject({ reviewed: false, rating: { totalReviews: 0 } });
    await block(ben, ana);
    expect(await relation(ana, ben)).toMatchObject({ following: false, blockedBy: true, followerCount: 0 });
    expect(await relation(ben, ana)).toMatchObject({ blocked: true, followingCount: 0 });
    await replicated.write(ben, (client) => client.unblockUser({ userId: ana }));
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
      await replicated.service.tell(userTopic, replicated.users.next({ id: ana }, { status }));
      expect(await relation(null, ben)).toMatchObject({ followerCount: count });
    }
  });

  // Rule: HTTP-3
  it('show a user their own changes at every replica, also where no signal comes', async () => {
    replicated.loseSignals();
    const [ana, ben] = [await person(), await coach()];
    await there(ana, ben);
    await there(ana, ana);
    const followed = await follow(ana, ben);
    expect(await there(ana, ben, followed)).toMatchObject({ following: true, followerCount: 1 });
    expect(await there(ana, ana, followed)).toMatchObject({ followingCount: 1 });
    expect(await there(ana, ben, await review(ana, ben, 3))).toMatchObject({ reviewed: true });
    const blocked = await block(ana, ben);
    const ended = { blocked: true, following: false, followerCount: 0 };
    expect(await there(ana, ben, blocked)).toMatchObject(ended);
    expect(await there(ana, ana, blocked)).toMatchObject({ followingCount: 0 });
  });

  // Rule: HTTP-3
  it('are at most 1 s old for others, also where no signal comes', async () => {
    replicated.loseSignals();
    const [ana, ben] = [await person(), await person()];
    expect(await there(null, ben)).toMatchObject({ followerCount: 0 });
    await follow(ana, ben);
    replicated.service.clock.advance(999);
    expect(await asked(() => there(null, ben))).toEqual([]);
    replicated.service.clock.advance(1);
    expect(await there(null, ben)).toMatchObject({ followerCount: 1 });
  });

  it('are read anew by other replicas once they hear of a change', async () => {
    const [ana, ben] = [await person(), await person()];
    expect(await there(null, ben)).toMatchObject({ followerCount: 0 });
    await follow(ana, ben);
    await until(async () => (await there(null, ben)).followerCount === 1, {
      what: 'the other replica’s hearing',
    });
  });

  it('are corrected by a recount', async () => {
    const ben = await person();
    await replicated.service.tamper('INSERT INTO user_figures VALUES ($1, 7, 0, 0, 1)', [ben]);
    expect(await relation(null, ben)).toMatchObject({ followerCount: 7 });
    const recount = definition.commands['recount-figures']!;
    await recount.prepare({ operands: [], options: {} } as never)(replicated.service.running);
    expect(await relation(null, ben)).toMatchObject({ followerCount: 0 });
  });
});
