import { jest } from '@jest/globals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { BlockRows } from '../src/projections/block.schema.js';
import { KnownBlocks } from '../src/projections/known-blocks.js';
import { KnownUsers } from '../src/projections/known-users.js';
import { UserRows } from '../src/projections/user.schema.js';
import { VisiblePeople } from '../src/projections/visible-people.js';
import { outcome, type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

describe('the people that messaging knows', () => {
  let messaging: TestMessaging;
  let viewer: Person;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    viewer = await messaging.person();
  });
  afterAll(() => messaging?.stop());

  const seen = async (...others: Person[]) => {
    const ids = others.map(({ id }) => id);
    const found = await messaging.service.get(VisiblePeople).among(viewer.id, ids);
    return others.map(({ id }) => found.get(id)?.name);
  };

  // Rule: ACCT-31, MSG-9, MSG-11
  it('are seen by others unless they are suspended or blocked, and lose their name with their account', async () => {
    const people: Person[] = [];
    for (let i = 0; i < 5; i++) people.push(await messaging.person());
    const [plain, suspended, deleted, blocked, blocker] = people as [Person, Person, Person, Person, Person];
    await messaging.suspend(suspended);
    await messaging.remove(deleted);
    await messaging.block(viewer, blocked);
    await messaging.block(blocker, viewer);
    expect(await seen(plain, suspended, deleted, blocked, blocker, { id: viewer.id, name: '' })).toEqual([
      ...[plain.name, undefined, 'Deleted user', undefined, undefined, viewer.name],
    ]);

    await messaging.block(viewer, blocked, false);
    expect(await seen(blocked)).toEqual([blocked.name]);
    expect(await messaging.service.get(KnownBlocks).between(viewer.id, blocker.id)).toBe(true);
  });

  // Rule: NOTIF-7, NOTIF-8
  it('are read once for all that badges and news say of them, and then remembered', async () => {
    const people: Person[] = [];
    for (let i = 0; i < 5; i++) people.push(await messaging.person());
    const [ada, sender, receiver, follower, suspended] = people as [Person, Person, Person, Person, Person];
    const acts = new Acts(messaging);
    const since = messaging.clock.now();
    await messaging.send(sender, ada, 'received');
    messaging.clock.advance(1);
    await messaging.send(ada, receiver, 'sent');
    await messaging.send(suspended, ada, 'hidden');
    await acts.follow(follower, ada);
    await acts.follow(suspended, ada);
    await messaging.suspend(suspended);
    const users = jest.spyOn(messaging.service.get(UserRows), 'find');
    const blocks = jest.spyOn(messaging.service.get(BlockRows), 'find');
    onTestEnd(() => jest.restoreAllMocks());

    const news = await messaging.news(ada, since);
    expect(news.counts).toEqual({ notifications: 1, messages: 1 });
    expect(news.messages.map(({ content }) => content)).toEqual(['received', 'sent']);
    expect(news.notifications.map(({ actor }) => actor!.id)).toEqual([follower.id]);
    expect([users.mock.calls.length, blocks.mock.calls.length]).toEqual([1, 1]);

    expect(await messaging.as(ada, (client) => client.getUnreadCounts({}))).toEqual(news.counts);
    expect([users.mock.calls.length, blocks.mock.calls.length]).toEqual([1, 1]);
  });

  // Rule: HTTP-30
  it('may act unless they are suspended, and not before they are known', async () => {
    const users = messaging.service.get(KnownUsers);
    const suspended = await messaging.person();
    await messaging.suspend(suspended);
    const unknown = viewer.id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    expect(await outcome(users.requireCaller(viewer.id))).toBe('resolved');
    expect(await outcome(users.requireCaller(suspended.id))).toBe('permission-denied user-disabled');
    expect(await outcome(users.requireCaller(unknown))).toBe('unavailable unavailable');
    expect(await outcome(users.requireCallerAnd(viewer.id, suspended.id))).toBe('not-found not-found');
    expect(await outcome(users.requireCallerAnd(viewer.id, unknown))).toBe('not-found not-found');
    expect(await outcome(users.requireCallerAnd(viewer.id, '../x'))).toBe('not-found not-found');
    expect(await outcome(users.requireCallerAnd(unknown, viewer.id))).toBe('unavailable unavailable');
  });
});
