import { jest } from '@jest/globals';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { NotificationCollection } from '../src/store/notification.schema.js';
import { type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

// Rule: NOTIF-1
describe('notifications of people whom the user does not see', () => {
  let messaging: TestMessaging;
  let acts: Acts;
  let reader: Person;
  let [eve, ben]: Person[] = [];
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    acts = new Acts(messaging);
  });
  beforeEach(async () => {
    messaging.clock.advance(60_000);
    // Eve's id is before Ben's, and so are her rows.
    [reader, eve] = [await messaging.person(), await messaging.person()];
    messaging.clock.advance(1_000);
    ben = await messaging.person();
  });
  afterAll(() => messaging?.stop());

  const unreadOf = ({ id: actorId }: Person) => ({ receiverId: reader.id, live: true, read: false, actorId });
  /** As if the actor had liked so many posts of the reader, one a millisecond. */
  async function likes(actor: Person, count: number): Promise<void> {
    await acts.like(actor, reader, {});
    const rows = messaging.service.get(NotificationCollection).raw;
    const first = (await rows.findOne(unreadOf(actor)))!;
    const more = Array.from({ length: count - 1 }, (_, at) => {
      const createdAt = new Date(first.createdAt.getTime() + 1 + at);
      return { ...first, _id: newIdAt(createdAt.getTime()), key: `${first.key} ${at}`, createdAt };
    });
    await rows.insertMany(more);
  }

  const badge = async () => {
    const { notifications } = await messaging.as(reader, (client) => client.getUnreadCounts({}));
    return notifications;
  };
  const actorsOf = (list: readonly { actor?: { id: string } | undefined }[]) =>
    list.map(({ actor }) => actor!.id);
  const listed = async () => {
    const page = await messaging.as(reader, (client) => client.listNotifications({ limit: 0, cursor: '' }));
    return actorsOf(page.items);
  };

  it.each(['blocked', 'suspended'])('who are %s take no place in the count and the list', async (how) => {
    await likes(eve!, 1_200);
    if (how === 'blocked') await messaging.block(reader, eve!);
    else await messaging.suspend(eve!);
    messaging.clock.advance(60_000);
    await likes(ben!, 3);
    expect(await badge()).toBe(3);
    expect(await listed()).toEqual([ben!.id, ben!.id, ben!.id]);
  });

  it('take none in what open pages are told, and where there may be more, that is said', async () => {
    const since = messaging.clock.now();
    await likes(ben!, 3);
    messaging.clock.advance(60_000);
    await likes(eve!, 80);
    await messaging.block(reader, eve!);
    const told = await messaging.news(reader, since);
    expect(actorsOf(told.notifications)).toEqual([ben!.id, ben!.id, ben!.id]);
    expect(told.moreNotifications).toBe(false);
    expect((await messaging.news(reader, messaging.clock.now())).notifications).toEqual([]);
    messaging.clock.advance(60_000);
    const liar = await messaging.person();
    await likes(liar, 400);
    await messaging.block(reader, liar);
    expect(await messaging.news(reader, since)).toMatchObject({ notifications: [], moreNotifications: true });
  });

  it('are read past within a bound, and all of those whom the user sees are counted', async () => {
    await likes(eve!, 998);
    await likes(ben!, 5);
    const reads = jest.spyOn(messaging.service.get(NotificationCollection), 'find');
    onTestEnd(() => reads.mockRestore());
    expect(await badge()).toBe(1_000);
    await messaging.block(reader, eve!);
    expect(await badge()).toBe(5);
    reads.mockClear();
    const rows = messaging.service.get(NotificationCollection).raw;
    const first = await rows.findOne(unreadOf(eve!));
    for (let turn = 0; turn < 12; turn += 1) {
      const other = await messaging.person();
      await messaging.block(reader, other);
      const more = Array.from({ length: 1_000 }, (_, at) => ({
        ...first!,
        ...{ _id: newIdAt(messaging.clock.now()), key: `${turn} ${at}`, actorId: other.id },
      }));
      await rows.insertMany(more);
    }
    await badge();
    expect(reads.mock.calls.length).toBeLessThanOrEqual(10);
    for (const [, options] of reads.mock.calls)
      expect(options).toMatchObject({ limit: 1_000, projection: { _id: 0 } });
  });
});
