import { jest } from '@jest/globals';
import { type Notification, NotificationType } from '@pulso/contracts/messaging/v1/messaging';
import { likeTopic } from '@pulso/contracts/topics/posts';
import { eventOf } from '@pulso/platform/events/event-record';
import { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { startService } from '@pulso/platform/service/start-service';
import { NotifyOfLikes } from '../src/notification/notify-of-likes.reaction.js';
import { OpenPages } from '../src/projections/open-pages.js';
import { messaging as definition } from '../src/service.js';
import { outcome, type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const HIDING = { reason: 'spam', decidedAt: 1 };

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
  messaging.clock.advance(1_000);
  [ada, ben] = [await messaging.person(), await messaging.person()];
});

const list = async (user: Person, limit = 100): Promise<Notification[]> =>
  (await messaging.as(user, (client) => client.listNotifications({ limit, cursor: '' }))).items;
const unread = (user: Person) => messaging.unread(user);
const read = (user: Person, upTo?: string) =>
  messaging.as(user, (client) => client.markNotificationsRead({ upTo }));
const kinds = async (user: Person) =>
  (await list(user)).map(({ type }) =>
    NotificationType[type].replace('NOTIFICATION_TYPE_', '').toLowerCase(),
  );
/** What a redelivery does: an event may reach its handler again after a kill, and after newer ones. */
const redeliver = (state: Parameters<NotifyOfLikes['handle']>[0]) =>
  messaging.service.get(NotifyOfLikes).handle(state);

describe('notifications', () => {
  // Rule: NOTIF-1, NOTIF-2, NOTIF-3
  it('tell of likes, comments, follows, subscriptions and reviews, newest first, with what they lead to', async () => {
    const [postId, commentId] = [acts.id(), acts.id()];
    await acts.like(ben, ada, { postId });
    messaging.clock.advance(1);
    await acts.like(ben, ada, { postId, commentId });
    messaging.clock.advance(1);
    const comment = await acts.comment(ben, ada, { postId });
    messaging.clock.advance(1);
    await acts.follow(ben, ada);
    messaging.clock.advance(1);
    await acts.subscribe(ben, ada);
    messaging.clock.advance(1);
    await acts.review(ben, ada);
    expect(await kinds(ada)).toEqual([
      ...['review', 'subscription', 'follow', 'comment', 'comment_like', 'post_like'],
    ]);
    const [review, , , told, ofComment, ofPost] = await list(ada);
    expect(review).toMatchObject({ postId: '', commentId: '', read: false });
    expect(review!.createdAt).toBe(messaging.clock.now());
    expect(review!.actor).toMatchObject({ id: ben.id, name: ben.name });
    expect(told).toMatchObject({ postId, commentId: comment.id });
    expect(ofComment).toMatchObject({ postId, commentId });
    expect(ofPost).toMatchObject({ postId, commentId: '' });
    expect(await unread(ada)).toBe(6);
    expect(await list(ben)).toEqual([]);
  });

  // Rule: NOTIF-1
  it('never tell of what one does oneself', async () => {
    await acts.like(ada, ada, {});
    await acts.comment(ada, ada);
    await acts.follow(ada, ada);
    expect(await list(ada)).toEqual([]);
    expect(await unread(ada)).toBe(0);
  });

  // Rule: NOTIF-3
  it('are one for each actor, type and target, and each comment has its own', async () => {
    const postId = acts.id();
    const state = await acts.like(ben, ada, { postId });
    await Promise.all([
      redeliver(state),
      redeliver(state),
      redeliver({ ...state, version: state.version + 1 }),
    ]);
    await acts.comment(ben, ada, { postId });
    await acts.comment(ben, ada, { postId });
    await acts.review(ben, ada);
    await acts.review(ben, ada);
    await acts.subscribe(ben, ada);
    await acts.subscribe(ben, ada, false);
    await acts.subscribe(ben, ada);
    expect((await kinds(ada)).toSorted()).toEqual([
      ...['comment', 'comment', 'post_like', 'review', 'subscription'],
    ]);
  });

  // Rule: NOTIF-3
  it('are made once by several replicas that handle the same event at once', async () => {
    const state = acts.likeState(ben, ada, {});
    await Promise.all(Array.from({ length: 12 }, () => redeliver(state)));
    expect(await kinds(ada)).toEqual(['post_like']);
    expect(await unread(ada)).toBe(1);
  });

  // Rule: NOTIF-3
  it('are taken back by unlike, deletion, unfollow, and while a moderator hides the comment', async () => {
    const postId = acts.id();
    await acts.like(ben, ada, { postId });
    await acts.follow(ben, ada);
    await acts.review(ben, ada);
    const comment = await acts.comment(ben, ada, { postId });
    await acts.comment(ben, ada, { ...comment, version: acts.version(), hidden: HIDING });
    expect((await kinds(ada)).toSorted()).toEqual(['follow', 'post_like', 'review']);
    await acts.comment(ben, ada, { ...comment, version: acts.version(), hidden: undefined });
    expect(await unread(ada)).toBe(4);
    await acts.like(ben, ada, { postId, active: false });
    await acts.follow(ben, ada, false);
    await acts.review(ben, ada, true);
    await acts.comment(ben, ada, { ...comment, version: acts.version(), deleted: true });
    expect(await list(ada)).toEqual([]);
    expect(await unread(ada)).toBe(0);
  });

  // Rule: NOTIF-3, NOTIF-6
  it.each([
    ['like, unlike, like', [0, 1, 2], 1],
    ['like, like, unlike', [0, 2, 1], 1],
    ['unlike, like, like', [1, 0, 2], 1],
    ['unlike, like', [1, 0], 0],
    ['like, unlike', [0, 1], 0],
    ['unlike alone, coalesced', [1], 0],
    ['the last like alone, coalesced', [2], 1],
  ])('end in the newest state when the events arrive as %s', async (_order, order, count) => {
    const postId = acts.id();
    const states = [true, false, true].map((active) => acts.likeState(ben, ada, { postId, active }));
    for (const index of order) await redeliver(states[index]!);
    expect(await list(ada)).toHaveLength(count);
    expect(await unread(ada)).toBe(count);
  });

  // Rule: NOTIF-3
  it('that come more than ten minutes late have the time of what they tell, others that of now', async () => {
    const now = messaging.clock.now();
    const [late, old, prompt] = [acts.id(), acts.id(), acts.id()];
    const happened = {
      [late]: now - 11 * MINUTE_MS,
      [old]: now - 20 * DAY_MS,
      [prompt]: now - 9 * MINUTE_MS,
    };
    for (const [postId, at] of Object.entries(happened)) {
      await redeliver({ ...acts.likeState(ben, ada, { postId }), version: at * 1_000, createdAt: at });
    }
    expect(await list(ada)).toMatchObject([
      { postId: prompt, createdAt: now },
      { postId: late, createdAt: happened[late] },
      { postId: old, createdAt: happened[old] },
    ]);
    for (const [active, at] of [
      [false, 30],
      [true, 15],
    ] as const) {
      const state = acts.likeState(ben, ada, { postId: old, active });
      await redeliver({ ...state, version: (now - at * MINUTE_MS) * 1_000, createdAt: now - at * MINUTE_MS });
    }
    expect((await list(ada)).at(-1)).toMatchObject({ postId: old, createdAt: now - 15 * MINUTE_MS });
  });

  // Rule: NOTIF-1
  it('leave list and count while a block lasts, in both directions, and do not reach the blocked', async () => {
    const eve = await messaging.person();
    await acts.like(ben, ada, {});
    await acts.like(eve, ada, {});
    await messaging.block(ada, ben);
    await messaging.block(eve, ada);
    await acts.follow(ben, ada);
    expect([await list(ada), await unread(ada)]).toEqual([[], 0]);
    await messaging.block(ada, ben, false);
    expect((await kinds(ada)).toSorted()).toEqual(['follow', 'post_like']);
    expect(await unread(ada)).toBe(2);
  });

  // Rule: ACCT-31
  it('of suspended, deleted and unknown actors are neither listed nor counted', async () => {
    const [eve, stranger] = [await messaging.person(), { id: acts.id(), name: '' }];
    for (const actor of [ben, eve, stranger]) await acts.like(actor, ada, {});
    await messaging.suspend(ben);
    await messaging.remove(eve);
    expect([await list(ada), await unread(ada)]).toEqual([[], 0]);
  });

  // Rule: NOTIF-6
  it('are not made of what happened more than 7 days before its state changed', async () => {
    const createdAt = messaging.clock.now() - 8 * DAY_MS;
    const old = await acts.comment(ben, ada, { createdAt });
    await acts.comment(ben, ada, { ...old, version: acts.version(), hidden: HIDING });
    expect(await list(ada)).toEqual([]);
  });

  // Rule: NOTIF-6
  it('are not made by events with malformed ids, which become dead letters', async () => {
    const state = { ...acts.likeState(ben, ada, {}), targetAuthorId: 'nobody' };
    await expect(redeliver(state)).rejects.toThrow('not an id in the cause of a notification: nobody');
  });
});

it('open pages of the receiver are told of one that is made, taken back or read', async () => {
  const tell = jest.spyOn(messaging.service.get(OpenPages), 'signal');
  const state = await acts.like(ben, ada, {});
  expect(tell.mock.calls).toEqual([[[ada.id]]]);
  await read(ada);
  await acts.like(ben, ada, { postId: state.postId, active: false });
  expect(tell.mock.calls).toEqual([[[ada.id]], [[ada.id]], [[ada.id]]]);
  tell.mockRestore();
});

describe('opening the bell', () => {
  // Rule: NOTIF-4
  it('marks as read up to the newest that was shown; one that arrives meanwhile stays unread', async () => {
    await acts.like(ben, ada, {});
    await acts.like(ben, ada, {});
    const [newest, oldest] = await list(ada);
    await acts.like(ben, ada, {});
    await read(ada, oldest!.id);
    expect((await list(ada)).map((each) => each.read)).toEqual([false, false, true]);
    await read(ada, newest!.id);
    expect((await list(ada)).map((each) => each.read)).toEqual([false, true, true]);
    expect(await unread(ada)).toBe(1);
    await read(ada);
    expect(await unread(ada)).toBe(0);
    await read(ada);
  });

  // Rule: NOTIF-4
  it('marks nothing by an unknown, foreign or malformed id', async () => {
    await acts.like(ben, ada, {});
    await acts.like(ada, ben, {});
    const [foreign] = await list(ben);
    for (const upTo of [foreign!.id, acts.id(), 'nothing', '']) {
      expect(await outcome(read(ada, upTo))).toContain('not-found');
    }
    expect(await unread(ada)).toBe(1);
    expect(await unread(ben)).toBe(1);
  });

  // Rule: NOTIF-4
  it('marks up to one that was taken back since it was shown', async () => {
    const postId = acts.id();
    await acts.follow(ben, ada);
    await acts.like(ben, ada, { postId });
    const [newest] = await list(ada);
    await acts.like(ben, ada, { postId, active: false });
    await read(ada, newest!.id);
    expect(await unread(ada)).toBe(0);
  });

  // Rule: HTTP-5, HTTP-6
  it('pages without gaps past those of unseen actors, by cursors of this user alone', async () => {
    for (let index = 0; index < 6; index += 1) {
      await acts.like(ben, ada, {});
      const blocked = await messaging.person();
      await acts.like(blocked, ada, {});
      await messaging.block(ada, blocked);
      if (index % 2 === 0) messaging.clock.advance(1);
    }
    const all = await list(ada);
    expect(all).toHaveLength(6);
    const paged: string[] = [];
    let cursor = '';
    do {
      const page = await messaging.as(ada, (client) => client.listNotifications({ limit: 2, cursor }));
      paged.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor) {
        const foreign = messaging.as(ben, (client) => client.listNotifications({ limit: 2, cursor }));
        expect(await outcome(foreign)).toContain('invalid-cursor');
      }
    } while (cursor);
    expect(paged).toEqual(all.map(({ id }) => id));
    for (const limit of [-1, 101]) {
      const page = messaging.as(ada, (client) => client.listNotifications({ limit, cursor: '' }));
      expect(await outcome(page)).toContain('validation-failed');
    }
  });

  it('has the news since a time, oldest first, at most 50, and the count', async () => {
    await acts.like(ben, ada, {});
    messaging.clock.advance(1);
    const at = messaging.clock.now();
    await acts.follow(ben, ada);
    messaging.clock.advance(1);
    await acts.review(ben, ada);
    const news = await messaging.news(ada, at);
    expect(news.notifications.map(({ createdAt }) => createdAt)).toEqual([at, at + 1]);
    for (let index = 0; index < 51; index += 1) await redeliver(acts.likeState(ben, ada, {}));
    const { counts, notifications } = await messaging.as(ada, (client) => client.listNews({ since: at }));
    expect(notifications).toHaveLength(50);
    expect(counts!.notifications).toBe(54);
    expect(await messaging.as(ada, (client) => client.getUnreadCounts({}))).toEqual(counts);
  });

  it('is for active users who are logged in', async () => {
    await messaging.suspend(ada);
    const call = (user: Person | null) =>
      messaging.as(user, (client) => client.listNotifications({ limit: 5, cursor: '' }));
    expect(await outcome(call(ada))).toContain('user-disabled');
    expect(await outcome(read(ada))).toContain('user-disabled');
    expect(await outcome(call(null))).toContain('not-authenticated');
  });
});

// Rule: NOTIF-6
it('a service that is new to a week of events notifies of none, and of all that come later', async () => {
  const { service } = messaging;
  await service.rows(`DELETE FROM bus_subscriptions WHERE grp LIKE 'messaging.notify-of-%'`);
  const history = Array.from({ length: 50 }, () => eventOf(likeTopic, acts.likeState(ben, ada, {})));
  const logger = createLogger({ service: 'messaging', level: 'fatal' });
  const { clock } = messaging;
  // Of a process without such a group.
  await new InProcessBus({ pool: service.pool, clock, logger }).publish(history);
  const bus = new InProcessBus({ pool: service.pool, clock, logger });
  const settings = readServiceSettings(definition, service.env);
  const transport = { kind: 'in-process', network: new InProcessNetwork() } as const;
  const second = await startService(definition, { settings, transport, bus, clock, logger });
  await bus.start();
  await messaging.service.drainEvents();
  expect(await list(ada)).toEqual([]);
  await bus.publish([eventOf(likeTopic, acts.likeState(ben, ada, {}))]);
  await messaging.service.drainEvents();
  expect(await kinds(ada)).toEqual(['post_like']);
  await second.close();
  await bus.stop();
});
