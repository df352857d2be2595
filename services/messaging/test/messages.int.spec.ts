import { MessageType } from '@pulso/contracts/messaging/v1/messaging';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { Signals, userChannel } from '@pulso/platform/signals/signals';
import { between, outcome, type Person, TestMessaging, texts } from './start.js';

describe('messages', () => {
  let messaging: TestMessaging;
  let ada: Person;
  let ben: Person;
  let id: string;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
  });
  beforeEach(async () => {
    ada = await messaging.person();
    ben = await messaging.person();
    id = between(ada, ben);
  });
  afterAll(() => messaging?.stop());

  const unreadOf = async (user: Person) => (await messaging.conversations(user)).items[0]?.unreadCount;

  // Rule: MSG-4
  it('are sent as trimmed text', async () => {
    const message = await messaging.send(ada, ben, '  line one\r\nline two 👋🏽\n ');
    expect(message).toEqual({
      id: expect.any(String),
      conversationId: id,
      senderId: ada.id,
      receiverId: ben.id,
      content: 'line one\nline two 👋🏽',
      type: MessageType.MESSAGE_TYPE_USER,
      event: undefined,
      createdAt: messaging.clock.now(),
      read: false,
    });
    expect((await messaging.messages(ben, id)).items).toEqual([message]);
  });

  // Rule: MSG-4
  it.each<[string, string, string]>([
    ['empty', '', 'invalid-argument validation-failed'],
    ['blank', ' \n\t \u200b\u2800', 'invalid-argument validation-failed'],
    ['too long', 'x'.repeat(4001), 'invalid-argument validation-failed'],
    ['with a control character', 'a\u0000b', 'invalid-argument validation-failed'],
    ['of 5 MB', 'x'.repeat(5_000_000), 'payload-too-large payload-too-large'],
  ])('are refused: %s', async (_, content, refusal) => {
    expect(await outcome(messaging.send(ada, ben, content))).toBe(refusal);
    expect((await messaging.conversations(ada)).items).toEqual([]);
  });

  // Rule: HTTP-16
  it.each([
    ['empty', '', 'invalid-argument validation-failed'],
    ['good', 'hello', 'not-found not-found'],
  ])('to nobody are refused for the text first, which is %s', async (_, content, refusal) => {
    expect(await outcome(messaging.send(ada, { id: 'ben', name: 'Ben' }, content))).toBe(refusal);
  });

  // Rule: MSG-4
  it('may have 4000 characters, in any script, and are stored as they are', async () => {
    for (const content of ['👋'.repeat(4000), '\u202eabc <script>alert(1)</script> $where', '{"$gt":""}']) {
      await messaging.send(ada, ben, content);
      const { items } = await messaging.messages(ben, id);
      expect(items.at(-1)!.content).toBe(content);
    }
  });

  // Rule: MSG-4
  it('go to others alone who exist', async () => {
    expect(await outcome(messaging.send(ada, ada, 'x'))).toBe('unprocessable cannot-message-self');
    expect(await outcome(messaging.start(ada, ada))).toBe('unprocessable cannot-message-self');
    for (const receiver of ['', 'x', newId(), `${ben.id}_${ada.id}`, ben.id.toUpperCase(), '{"$ne":null}']) {
      const other = { id: receiver, name: '' };
      expect(await outcome(messaging.send(ada, other, 'x'))).toBe('not-found not-found');
      expect(await outcome(messaging.start(ada, other))).toBe('not-found not-found');
    }
    expect((await messaging.conversations(ada)).items).toEqual([]);
  });

  // Rule: MSG-5
  it('become the last message and are unread until the receiver reads them', async () => {
    for (const text of ['one', 'two', 'three']) {
      messaging.clock.advance(1_000);
      await messaging.send(ada, ben, text);
    }
    for (const [user, unread] of [
      [ada, 0],
      [ben, 3],
    ] as const) {
      const { items } = await messaging.conversations(user);
      expect(items[0]!.lastMessage!.content).toBe('three');
      expect(items[0]!.lastActivity).toBe(messaging.clock.now());
      expect(items[0]!.unreadCount).toBe(unread);
      expect(await messaging.badge(user)).toBe(unread);
    }
  });

  // Rule: MSG-6
  it('are read by their receiver, all of them or up to one', async () => {
    const sent = [];
    for (const text of ['1', '2', '3', '4']) sent.push(await messaging.send(ada, ben, text));
    const own = await messaging.send(ben, ada, '5');
    const readOnes = async () => (await messaging.messages(ada, id)).items.map(({ read }) => read);

    await messaging.read(ben, id, sent[1]!.id);
    expect(await readOnes()).toEqual([true, true, false, false, false]);
    expect(await unreadOf(ben)).toBe(2);
    await messaging.read(ben, id, sent[0]!.id);
    expect(await unreadOf(ben)).toBe(2);
    await messaging.read(ben, id, own.id);
    expect(await readOnes()).toEqual([true, true, true, true, false]);
    expect([await unreadOf(ben), await messaging.badge(ben)]).toEqual([0, 0]);
    expect(await unreadOf(ada)).toBe(1);
    await messaging.read(ada, id);
    await messaging.read(ada, id);
    expect(await readOnes()).toEqual([true, true, true, true, true]);
  });

  // Rule: MSG-6
  it('stay unread when the named message is unknown or of another conversation', async () => {
    const eve = await messaging.person();
    await messaging.send(ada, ben, 'unread');
    const foreign = await messaging.send(eve, ben, 'from Eve');
    const others = await messaging.send(ada, eve, 'for Eve');
    for (const upTo of [foreign.id, others.id, newId(), '', 'x', id]) {
      expect(await outcome(messaging.read(ben, id, upTo))).toBe('not-found not-found');
    }
    expect(await messaging.badge(ben)).toBe(2);
  });

  // Rule: MSG-6
  it('that arrive while others are being read stay unread', async () => {
    const first = await messaging.send(ada, ben, 'seen');
    const arriving = Array.from({ length: 20 }, (_, i) => messaging.send(ada, ben, `arriving ${i}`));
    await Promise.all([...arriving, messaging.read(ben, id, first.id)]);
    expect(await unreadOf(ben)).toBe(20);
    expect(await messaging.badge(ben)).toBe(20);
  });

  // Rule: MSG-7
  it('are paged from the newest page to older ones, ascending within a page', async () => {
    for (let i = 0; i < 7; i++) await messaging.send(i % 2 ? ada : ben, i % 2 ? ben : ada, `${i}`);
    const first = await messaging.messages(ada, id, { limit: 3 });
    expect(texts(first)).toEqual(['4', '5', '6']);
    await messaging.send(ben, ada, 'newer than the page');
    const second = await messaging.messages(ada, id, { limit: 3, cursor: first.nextCursor });
    expect(texts(second)).toEqual(['1', '2', '3']);
    const last = await messaging.messages(ada, id, { limit: 1, cursor: second.nextCursor });
    expect(last).toEqual({ items: [expect.objectContaining({ content: '0' })], nextCursor: '' });
  });

  // Rule: MSG-7
  it('keep the order in which they were acknowledged when the clock goes back by seconds', async () => {
    await messaging.send(ada, ben, 'first');
    messaging.clock.advance(-5_000);
    await messaging.send(ada, ben, 'second');
    const { items } = await messaging.messages(ben, id);
    expect(texts({ items })).toEqual(['first', 'second']);
    expect(items[1]!.createdAt).toBe(items[0]!.createdAt + 1);
    expect((await messaging.conversations(ben)).items[0]!.lastMessage!.content).toBe('second');
    messaging.clock.advance(5_000);
  });

  // Rule: HTTP-13
  it('are sent once per Idempotency-Key', async () => {
    const key = newId();
    const first = await messaging.send(ada, ben, 'once', { key });
    expect(await messaging.send(ada, ben, 'once', { key })).toEqual(first);
    expect(await outcome(messaging.send(ada, ben, 'other', { key }))).toBe(
      'unprocessable idempotency-key-reused',
    );
    await messaging.send(ben, ada, 'the key of another caller', { key });
    expect(texts(await messaging.messages(ada, id))).toEqual(['once', 'the key of another caller']);

    const raced = newId();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => messaging.send(ada, ben, 'raced', { key: raced })),
    );
    expect(new Set(answers.map((message) => message.id)).size).toBe(1);
    expect(texts(await messaging.messages(ada, id))).toHaveLength(3);
    expect(await messaging.badge(ben)).toBe(2);

    // What would be refused now was not when it was sent.
    await messaging.block(ben, ada);
    expect(await messaging.send(ada, ben, 'once', { key })).toEqual(first);
    expect(await outcome(messaging.send(ada, ben, 'new', { key: newId() }))).toMatch(/blocked|not-found/);
    await messaging.block(ben, ada, false);

    messaging.clock.advance(24 * 60 * 60_000);
    expect((await messaging.send(ada, ben, 'once', { key })).id).not.toBe(first.id);
  });

  // Rule: MSG-5, MSG-6
  it('are signalled to both once they can be read, and reading is signalled to the reader', async () => {
    const heard: string[] = [];
    const signals = messaging.service.get(Signals);
    const people = new Map([ada, ben].map((person) => [userChannel(person.id), person.name]));
    const stop = signals.listen({
      heard: (channel) => {
        if (channel.startsWith(userChannel(''))) heard.push(people.get(channel) ?? channel);
      },
    });
    // Signals arrive one turn later, in the order in which they were sent.
    const all = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return heard.splice(0);
    };
    await messaging.send(ada, ben, 'hello');
    expect(await all()).toEqual([ada.name, ben.name]);
    await messaging.read(ben, id);
    expect(await all()).toEqual([ben.name]);
    await messaging.read(ben, id);
    await messaging.read(ada, id);
    expect(await all()).toEqual([]);
    await messaging.block(ben, ada);
    expect((await all()).toSorted()).toEqual([ada.name, ben.name].toSorted());
    stop();
  });

  // Rule: MSG-5
  it('are told as news since a time, to both, oldest first and the latest of many', async () => {
    const eve = await messaging.person();
    await messaging.send(ada, ben, 'old');
    messaging.clock.advance(1_000);
    const since = messaging.clock.now();
    await messaging.send(ada, ben, 'a');
    await messaging.send(ben, ada, 'b');
    messaging.clock.advance(2);
    await messaging.send(eve, ada, 'c');
    expect((await messaging.news(ada, since)).messages.map(({ content }) => content)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(await messaging.news(ben, since)).toEqual({
      counts: { notifications: 0, messages: 2 },
      messages: [expect.objectContaining({ content: 'a' }), expect.objectContaining({ content: 'b' })],
      notifications: [],
      moreMessages: false,
      moreNotifications: false,
    });
    for (let i = 0; i < 60; i++) await messaging.send(eve, ada, `${i}`);
    const { messages: newest, moreMessages } = await messaging.news(ada, since);
    expect(moreMessages).toBe(true);
    expect(newest.map(({ content }) => content)).toEqual(Array.from({ length: 50 }, (_, i) => `${i + 10}`));
    for (const bad of [-1, 9e15]) {
      expect(await outcome(messaging.news(ada, bad))).toBe('invalid-argument validation-failed');
    }
  });
});
