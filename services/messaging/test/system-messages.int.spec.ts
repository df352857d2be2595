import { jest } from '@jest/globals';
import { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { MessageEventKind, MessageType } from '@pulso/contracts/messaging/v1/messaging';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { eventOf } from '@pulso/platform/events/event-record';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { SubscriptionMails } from '../src/mail/subscription-mails.js';
import { MessageWriter } from '../src/message/message-writer.js';
import { AnnounceSubscriptions } from '../src/subscription/announce-subscriptions.reaction.js';
import { between, type Person, TestMessaging } from './start.js';

const [STARTED, ENDS, ENDED] = [
  MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_STARTED,
  MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDS,
  MessageEventKind.MESSAGE_EVENT_KIND_SUBSCRIPTION_ENDED,
];
const NOVEMBER = Date.UTC(2026, 10, 1);
const END = Date.UTC(2026, 11, 1, 23);

// Rule: MSG-10
describe('system messages', () => {
  let messaging: TestMessaging;
  let member: Person;
  let coach: Person;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
  });
  beforeEach(async () => {
    member = await messaging.person();
    coach = await messaging.person({ isCoach: true });
  });
  afterAll(() => messaging?.stop());

  /** A version is the time of the change in microseconds. */
  const day = (days: number) => (NOVEMBER + days * 24 * 60 * 60_000) * 1000;
  const told = async (reader = member) => {
    const { items } = await messaging.messages(reader, between(member, coach));
    return items.map(({ event, content }) => [event?.kind, event?.at, content]);
  };
  const state = (fields: Partial<SubscriptionState>) =>
    SubscriptionState.fromPartial({ userId: member.id, coachId: coach.id, ...fields });

  it('tell that a subscription began, when it ends, and that it has ended', async () => {
    await messaging.subscription(member, coach, { active: true, version: day(0) });
    await messaging.subscription(member, coach, { active: true, accessUntil: END, version: day(3) });
    await messaging.subscription(member, coach, { active: false, version: day(30) });
    expect(await told()).toEqual([
      [STARTED, NOVEMBER, 'The subscription has begun.'],
      [ENDS, END, 'The subscription ends on December 1, 2026.'],
      [ENDED, day(30) / 1000, 'The subscription has ended.'],
    ]);
    expect(await told(coach)).toEqual(await told());
  });

  it('have the time of what they tell, when they tell it more than a day late, and stay in order', async () => {
    const now = messaging.clock.now();
    const daysAgo = (days: number) => now - days * 24 * 60 * 60_000;
    await messaging.subscription(member, coach, { active: true, version: daysAgo(20) * 1000 });
    await messaging.send(member, coach, 'Hello');
    await messaging.subscription(member, coach, { active: false, version: daysAgo(10) * 1000 });
    const { items } = await messaging.messages(member, between(member, coach));
    expect(items.map(({ content, createdAt }) => [content, createdAt >= now])).toEqual([
      ['The subscription has begun.', false],
      ['Hello', true],
      ['The subscription has ended.', true],
    ]);
    expect(items[0]!.createdAt).toBe(daysAgo(20));
  });

  it('name who acted, move the activity and are never unread', async () => {
    const before = messaging.clock.now();
    messaging.clock.advance(5_000);
    await messaging.subscription(member, coach, { active: true, version: (before + 5_000) * 1000 });
    for (const reader of [member, coach]) {
      const { items } = await messaging.conversations(reader);
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ unreadCount: 0, lastActivity: before + 5_000 });
      expect(items[0]!.lastMessage).toMatchObject({
        senderId: member.id,
        receiverId: coach.id,
        type: MessageType.MESSAGE_TYPE_SYSTEM,
      });
      expect(await messaging.badge(reader)).toBe(0);
      const page = await messaging.messages(reader, between(member, coach));
      expect(page.items[0]).toMatchObject({ type: MessageType.MESSAGE_TYPE_SYSTEM, read: true });
      await messaging.read(reader, between(member, coach), page.items[0]!.id);
    }
    const since = messaging.clock.now();
    expect((await messaging.news(coach, since)).messages).toHaveLength(1);
  });

  it('tell another beginning after an end, and nothing of what has not changed', async () => {
    await messaging.subscription(member, coach, { active: true, version: day(0) });
    await messaging.subscription(member, coach, { active: true, version: day(1) });
    await messaging.subscription(member, coach, { active: true, accessUntil: END, version: day(2) });
    await messaging.subscription(member, coach, { active: true, version: day(3) });
    await messaging.subscription(member, coach, { active: true, accessUntil: END, version: day(4) });
    await messaging.subscription(member, coach, { active: false, version: day(5) });
    await messaging.subscription(member, coach, { active: false, everActive: true, version: day(6) });
    await messaging.subscription(member, coach, { active: true, version: day(7) });
    expect((await told()).map(([kind]) => kind)).toEqual([STARTED, ENDS, ENDED, STARTED]);
  });

  it('tell of an end at its time, by the state that comes after it', async () => {
    await messaging.subscription(member, coach, { active: true, accessUntil: END, version: day(0) });
    await messaging.subscription(member, coach, { active: false, everActive: true, version: day(40) });
    expect((await told()).slice(2)).toEqual([[ENDED, END, 'The subscription has ended.']]);
  });

  it('tell of an end and another beginning where access had ended by time alone', async () => {
    const subscriptions = messaging.service.get(SubscriptionMails);
    const mails = jest.spyOn(subscriptions, 'write');
    onTestEnd(() => mails.mockRestore());
    await messaging.subscription(member, coach, { active: true, accessUntil: END, version: day(0) });
    await messaging.subscription(member, coach, { active: true, version: day(40) });
    expect((await told()).map(([kind, at]) => [kind, at])).toEqual([
      [STARTED, NOVEMBER],
      [ENDS, END],
      [ENDED, END],
      [STARTED, day(40) / 1000],
    ]);
    expect(mails.mock.calls.map(([{ at }]) => at.getTime())).toEqual([NOVEMBER, day(40) / 1000]);
  });

  // Rule: NOTIF-2, MAIL-2
  it('say nothing of a subscription that was never seen active, as notifications and mails', async () => {
    const mails = jest.spyOn(messaging.service.get(SubscriptionMails), 'write');
    onTestEnd(() => mails.mockRestore());
    await messaging.subscription(member, coach, { active: false, everActive: false, version: day(0) });
    await messaging.subscription(member, coach, { active: false, everActive: true, version: day(1) });
    expect((await messaging.conversations(member)).items).toEqual([]);
    const list = { limit: 100, cursor: '' };
    expect((await messaging.as(coach, (client) => client.listNotifications(list))).items).toEqual([]);
    expect(mails).not.toHaveBeenCalled();
  });

  it('are told once, in whatever order and number the states arrive', async () => {
    const reaction = messaging.service.get(AnnounceSubscriptions);
    const states = [
      state({ active: true, version: day(0) }),
      state({ active: true, accessUntil: END, version: day(1) }),
      state({ active: false, version: day(2) }),
    ];
    for (const each of states) await messaging.tell(subscriptionTopic, each);
    const before = await told();
    expect(before).toHaveLength(3);
    for (const each of [...states, ...states.toReversed()]) await reaction.handle(each);
    await Promise.all([...states, ...states].map((each) => reaction.handle(each)));
    await messaging.service.bus.publish(
      states.map((each) => ({ ...eventOf(subscriptionTopic, each), republished: true })),
    );
    await messaging.service.drainEvents();
    expect(await told()).toEqual(before);
  });

  // Rule: MSG-18
  describe('of what changes again and again', () => {
    const DAY = 24 * 60 * 60_000;
    const kinds = async () => (await told()).map(([kind]) => kind);
    const announceLate = () =>
      messaging.service.get(AnnounceSubscriptions).announceLate(new AbortController().signal);
    /** Begins and ends the subscription, each a second after the other, `changes` times in all. */
    const turns = async (changes: number) => {
      for (let change = 0; change < changes; change += 1) {
        const version = messaging.clock.now() * 1000;
        await messaging.subscription(member, coach, { active: change % 2 === 0, version });
        messaging.clock.advance(1_000);
      }
    };

    it('tell each kind once in 24 hours, and then what is still so', async () => {
      await turns(21);
      expect(await kinds()).toEqual([STARTED, ENDED]);
      await announceLate();
      expect(await kinds()).toEqual([STARTED, ENDED]);
      messaging.clock.advance(DAY);
      await announceLate();
      await announceLate();
      expect(await kinds()).toEqual([STARTED, ENDED, STARTED]);
      await messaging.subscription(member, coach, { active: false, version: messaging.clock.now() * 1000 });
      expect(await kinds()).toEqual([STARTED, ENDED, STARTED, ENDED]);
    });

    it('tell nothing late where all is as it was told', async () => {
      await turns(20);
      messaging.clock.advance(2 * DAY);
      await announceLate();
      expect(await kinds()).toEqual([STARTED, ENDED]);
    });

    it('tell once what a kill has kept from being told late', async () => {
      await turns(3);
      messaging.clock.advance(DAY);
      const writer = messaging.service.get(MessageWriter);
      const killed = jest.spyOn(writer, 'system').mockRejectedValueOnce(new Error('killed'));
      onTestEnd(() => killed.mockRestore());
      await expect(announceLate()).rejects.toThrow('killed');
      await announceLate();
      expect(await kinds()).toEqual([STARTED, ENDED]);
      messaging.clock.advance(5 * 60_000);
      await announceLate();
      expect(await kinds()).toEqual([STARTED, ENDED, STARTED]);
    });
  });

  it('are told once by deliveries that race', async () => {
    const reaction = messaging.service.get(AnnounceSubscriptions);
    const began = state({ active: true, version: day(0) });
    await Promise.all(Array.from({ length: 8 }, () => reaction.handle(began)));
    expect((await told()).map(([kind]) => kind)).toEqual([STARTED]);
  });

  it('are told once when a crash lay between the step and the message, and a newer state comes next', async () => {
    const reaction = messaging.service.get(AnnounceSubscriptions);
    const writer = messaging.service.get(MessageWriter);
    const system = writer.system.bind(writer);
    let calls = 0;
    const killed = jest.spyOn(writer, 'system').mockImplementation(async (draft) => {
      calls += 1;
      if (calls === 1) throw new Error('killed before the message');
      await system(draft);
      if (calls === 2) throw new Error('killed after the message');
    });
    try {
      const renewed = state({ active: true, version: day(1) });
      await expect(reaction.handle(state({ active: true, version: day(0) }))).rejects.toThrow('before');
      await expect(reaction.handle(renewed)).rejects.toThrow('after');
      await reaction.handle(renewed);
    } finally {
      killed.mockRestore();
    }
    expect(await told()).toEqual([[STARTED, NOVEMBER, 'The subscription has begun.']]);
  });

  it('refuse states of malformed ids', async () => {
    const reaction = messaging.service.get(AnnounceSubscriptions);
    await expect(reaction.handle(state({ userId: 'x', active: true, version: 1 }))).rejects.toThrow(
      'not a user id',
    );
  });
});
