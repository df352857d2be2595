import { jest } from '@jest/globals';
import type { Notification } from '@pulso/contracts/messaging/v1/messaging';
import { OpenPages } from '../src/projections/open-pages.js';
import { type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('notifications of what is given again', () => {
  let messaging: TestMessaging;
  let acts: Acts;
  let ada: Person;
  let ben: Person;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    acts = new Acts(messaging);
  });
  afterAll(() => messaging?.stop());
  beforeEach(async () => {
    [ada, ben] = [await messaging.person(), await messaging.person()];
  });
  afterEach(() => void jest.restoreAllMocks());

  const list = async (): Promise<Notification[]> =>
    (await messaging.as(ada, (client) => client.listNotifications({ limit: 100, cursor: '' }))).items;
  const unread = () => messaging.unread(ada);
  /** Whose open pages are told. */
  const told = () => jest.spyOn(messaging.service.get(OpenPages), 'signal');

  // Rule: NOTIF-3
  it('of likes come back as they were, after a day with the new time unless read', async () => {
    const [seen, unseen] = [acts.id(), acts.id()];
    await acts.like(ben, ada, { postId: seen });
    const [first] = await list();
    await messaging.as(ada, (client) => client.markNotificationsRead({ upTo: first!.id }));
    messaging.clock.advance(1_000);
    await acts.like(ben, ada, { postId: unseen });
    const madeAt = messaging.clock.now();
    const again = async (after: number) => {
      messaging.clock.advance(after);
      for (const postId of [seen, unseen]) {
        await acts.like(ben, ada, { postId, active: false });
        await acts.like(ben, ada, { postId });
      }
      return list();
    };
    const wasRead = { postId: seen, read: true, createdAt: first!.createdAt };
    expect(await again(DAY_MS - 1)).toMatchObject([{ postId: unseen, createdAt: madeAt }, wasRead]);
    const dayLater = { postId: unseen, read: false, createdAt: madeAt + DAY_MS };
    expect(await again(1)).toMatchObject([dayLater, wasRead]);
    expect(await again(DAY_MS - 1)).toMatchObject([dayLater, wasRead]);
    expect(await unread()).toBe(1);
  });

  // Rule: NOTIF-3
  it('are news where only the end of the first like has arrived', async () => {
    const postId = acts.id();
    const tell = told();
    await acts.like(ben, ada, { postId, active: false });
    messaging.clock.advance(1_000);
    await acts.like(ben, ada, { postId });
    expect(await list()).toMatchObject([{ postId, createdAt: messaging.clock.now() }]);
    expect(tell.mock.calls).toEqual([[[ada.id]]]);
  });

  // Rule: NOTIF-3
  it.each([
    ['review', (due: boolean) => acts.review(ben, ada, !due)],
    ['follow', (due: boolean) => acts.follow(ben, ada, due)],
  ])('ring once for a %s that is changed, taken back and given again', async (_what, settle) => {
    const tell = told();
    await settle(true);
    const [made] = await list();
    tell.mockClear();
    messaging.clock.advance(MINUTE_MS);
    await settle(true);
    expect(tell.mock.calls).toEqual([]);
    await settle(false);
    expect([await unread(), tell.mock.calls.length]).toEqual([0, 1]);
    await settle(true);
    expect([await list(), tell.mock.calls.length]).toEqual([[made], 1]);
  });

  // Rule: NOTIF-2, NOTIF-3
  it('ring once a day for a mention that edits take away and add again', async () => {
    const post = await acts.post(ben, [ada]);
    const [made] = await list();
    const tell = told();
    const edit = (...mentioned: Person[]) =>
      acts.post(ben, mentioned, { id: post.id, createdAt: post.createdAt });
    for (let count = 0; count < 5; count += 1) {
      messaging.clock.advance(2_000);
      await edit();
      expect(tell.mock.calls).toEqual([[[ada.id]]]);
      tell.mockClear();
      await edit(ada);
      await edit(ada);
      expect(tell.mock.calls).toEqual([]);
      expect(await list()).toEqual([made]);
    }
    await edit();
    messaging.clock.advance(DAY_MS);
    tell.mockClear();
    await edit(ada);
    expect(tell.mock.calls).toEqual([[[ada.id]]]);
    expect(await list()).toEqual([{ ...made, createdAt: messaging.clock.now() }]);
  });
});
