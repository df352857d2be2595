import { isDeepStrictEqual } from 'node:util';
import { jest } from '@jest/globals';
import { FoldMessages } from '../src/message/fold-messages.job.js';
import { NotifyOfComments } from '../src/notification/notify-of-comments.reaction.js';
import { NotifyOfFollows } from '../src/notification/notify-of-follows.reaction.js';
import { NotifyOfLikes } from '../src/notification/notify-of-likes.reaction.js';
import { NotifyOfMentions } from '../src/notification/notify-of-mentions.reaction.js';
import { NotifyOfReviews } from '../src/notification/notify-of-reviews.reaction.js';
import { NotifyOfSubscriptions } from '../src/notification/notify-of-subscriptions.reaction.js';
import { MailCollection } from '../src/store/mail.schema.js';
import { MessageCollection } from '../src/store/message.schema.js';
import { NotificationCollection } from '../src/store/notification.schema.js';
import { type Person, TestMessaging } from './start.js';
import { Acts } from './support/acts.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const BY_ID = { sort: { _id: 1 } } as const;
const HIDING = { reason: 'spam', decidedAt: 1 };

describe('groups that have lost their state, and get a week of history again', () => {
  let messaging: TestMessaging;
  let acts: Acts;
  let ada: Person;
  let ben: Person;
  let cora: Person;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    acts = new Acts(messaging);
    [ada, ben, cora] = [await messaging.person(), await messaging.person(), await messaging.person()];
    for (let day = 0; day < 7; day += 1) await aDay(day);
  });
  afterAll(() => messaging?.stop());
  afterEach(() => void jest.restoreAllMocks());

  const read = () => messaging.as(ada, (client) => client.markNotificationsRead({ upTo: undefined }));
  const list = async () =>
    (await messaging.as(ada, (client) => client.listNotifications({ limit: 100, cursor: '' }))).items;

  /** All kinds of acts; some are taken back and given again, on later days with a new time. */
  async function aDay(day: number) {
    const postId = acts.id();
    await acts.like(ben, ada, { postId });
    messaging.clock.advance(HOUR_MS);
    await acts.like(ben, ada, { postId, active: false });
    if (day % 2 === 0) await acts.like(ben, ada, { postId });
    await acts.like(cora, ada, { postId, commentId: acts.id() });
    const comment = await acts.comment(cora, ada, { postId, mentionedIds: [ben.id] });
    await acts.comment(cora, ada, { ...comment, version: acts.version(), hidden: HIDING });
    if (day % 3 === 0) await acts.comment(cora, ada, { ...comment, version: acts.version() });
    const post = await acts.post(ben, [ada, cora]);
    messaging.clock.advance(HOUR_MS);
    if (day === 2) await read();
    const edit = { id: post.id, createdAt: post.createdAt };
    await acts.post(ben, [cora], edit);
    messaging.clock.advance(DAY_MS - 2 * HOUR_MS);
    await acts.post(ben, [ada, cora], edit);
    await acts.follow(ben, ada, day % 2 === 0);
    await acts.review(cora, ada, day === 3);
    await acts.subscribe(cora, ada, day % 2 === 0);
  }

  /** All that reactions have written. */
  const written = () => {
    const { service } = messaging;
    return Promise.all([
      service.get(NotificationCollection).find({}, BY_ID),
      service.get(MessageCollection).find({}, BY_ID),
      service.get(MailCollection).find({}, BY_ID),
    ]);
  };
  const notifying = (): { handle(state: unknown): Promise<void> }[] => {
    const { service } = messaging;
    return [
      ...[service.get(NotifyOfComments), service.get(NotifyOfFollows), service.get(NotifyOfLikes)],
      ...[service.get(NotifyOfMentions), service.get(NotifyOfReviews), service.get(NotifyOfSubscriptions)],
    ];
  };

  // Rule: NOTIF-3, NOTIF-6
  it('make no second notification, and change none, also while they catch up', async () => {
    // Else a pass of the job clears marks of messages meanwhile.
    await messaging.service.get(FoldMessages).pass();
    const [before, shown] = [await written(), await list()];
    expect(before.map(({ length }) => length > 0)).toEqual([true, true, true]);
    expect(new Set(shown.map(({ type }) => type)).size).toBe(7);
    const differed: unknown[] = [];
    const handled = notifying().map((reaction) => {
      const handle = reaction.handle.bind(reaction);
      return jest.spyOn(reaction, 'handle').mockImplementation(async (state) => {
        await handle(state);
        // The last event brings everything back, so only this shows what is seen meanwhile.
        if (!isDeepStrictEqual(await written(), before)) differed.push(state);
      });
    });
    const [{ count } = { count: 0 }] = await messaging.service.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM bus_events JOIN bus_subscriptions USING (topic)
       WHERE grp LIKE 'messaging.notify-of-%'`,
    );
    messaging.clock.advance(12 * HOUR_MS);
    await messaging.service.rows(
      `INSERT INTO bus_deliveries (seq, grp, due_at)
       SELECT seq, grp, now() FROM bus_events JOIN bus_subscriptions USING (topic) WHERE reaction`,
    );
    await messaging.service.drainEvents();
    expect(handled.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(count);
    expect(differed).toEqual([]);
    expect(await written()).toEqual(before);
    expect(await list()).toEqual(shown);
  });
});
