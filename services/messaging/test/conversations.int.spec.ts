import { UserState } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { between, outcome, type Person, TestMessaging, texts } from './start.js';

describe('conversations', () => {
  let messaging: TestMessaging;
  beforeAll(async () => {
    messaging = await TestMessaging.start();
  });
  afterAll(() => messaging?.stop());

  const two = async (): Promise<[Person, Person]> => [await messaging.person(), await messaging.person()];
  const idsOf = async (user: Person) => (await messaging.conversations(user)).items.map(({ id }) => id);

  // Rule: MSG-1
  it('are between two users, and nobody else has access', async () => {
    const [ada, ben] = await two();
    const eve = await messaging.person();
    const { conversationId } = await messaging.send(ada, ben, 'for Ben');
    expect(conversationId).toBe(between(ada, ben));
    for (const user of [ada, ben]) expect(await idsOf(user)).toEqual([conversationId]);
    expect(await idsOf(eve)).toEqual([]);
    expect(await outcome(messaging.messages(eve, conversationId))).toBe('not-found not-found');
    expect(await outcome(messaging.read(eve, conversationId))).toBe('not-found not-found');
  });

  // Rule: MSG-1
  it.each<[string, (ada: Person, ben: Person) => string]>([
    ['reversed', (ada, ben) => between(ada, ben).split('_').reverse().join('_')],
    ['with oneself', (ada) => `${ada.id}_${ada.id}`],
    ['of one', (ada) => ada.id],
    ['of three', (ada, ben) => `${between(ada, ben)}_${newId()}`],
    ['in capitals', (ada, ben) => between(ada, ben).toUpperCase()],
    ['empty', () => ''],
    ['with somebody unknown', (ada) => [ada.id, newId()].sort().join('_')],
  ])('has no other id: %s', async (_, idOf) => {
    const [ada, ben] = await two();
    await messaging.send(ada, ben, 'hello');
    const id = idOf(ada, ben);
    expect(await outcome(messaging.messages(ada, id))).toBe('not-found not-found');
    expect(await outcome(messaging.read(ada, id))).toBe('not-found not-found');
  });

  // Rule: MSG-2
  it('are started without a message, and only once', async () => {
    const [ada, ben] = await two();
    const first = await messaging.start(ada, ben);
    expect(first).toEqual({
      created: true,
      conversation: {
        id: between(ada, ben),
        otherUser: {
          id: ben.id,
          name: ben.name,
          username: expect.any(String),
          profileImageId: '',
          isCoach: false,
        },
        lastMessage: undefined,
        lastActivity: messaging.clock.now(),
        unreadCount: 0,
      },
    });
    messaging.clock.advance(60_000);
    expect(await messaging.start(ada, ben)).toEqual({ ...first, created: false });
    expect((await messaging.conversations(ada)).items).toEqual([first.conversation]);
    expect((await messaging.messages(ada, first.conversation!.id)).items).toEqual([]);
    expect([await messaging.badge(ada), await messaging.badge(ben)]).toEqual([0, 0]);
  });

  // Rule: MSG-2
  it('are started once by many requests at a time', async () => {
    const [ada, ben] = await two();
    const answers = await Promise.all(Array.from({ length: 10 }, () => messaging.start(ada, ben)));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ conversation }) => conversation!.id)).size).toBe(1);
  });

  // Rule: MSG-3
  it('belong to their starter until the first message', async () => {
    const [ada, ben] = await two();
    const { conversation } = await messaging.start(ada, ben);
    const { id } = conversation!;
    expect(await idsOf(ben)).toEqual([]);
    expect(await outcome(messaging.messages(ben, id))).toBe('not-found not-found');
    expect(await outcome(messaging.read(ben, id))).toBe('not-found not-found');

    messaging.clock.advance(60_000);
    const own = await messaging.start(ben, ada);
    expect(own.created).toBe(true);
    expect(own.conversation!.lastActivity).toBe(messaging.clock.now());
    expect((await messaging.start(ada, ben)).conversation).toEqual(conversation);
    expect(await messaging.messages(ben, id)).toEqual({ items: [], nextCursor: '' });
  });

  // Rule: MSG-3
  it('are seen by both after the first message, which may come from either', async () => {
    const [ada, ben] = await two();
    await messaging.start(ada, ben);
    const { conversationId } = await messaging.send(ben, ada, 'I was first');
    expect(await idsOf(ada)).toEqual([conversationId]);
    expect(await idsOf(ben)).toEqual([conversationId]);
    expect((await messaging.start(ben, ada)).created).toBe(false);
  });

  // Rule: MSG-7
  it('are listed by their latest activity, with the other user, the last message and what is unread', async () => {
    const ada = await messaging.person();
    const others: Person[] = [];
    for (let i = 0; i < 7; i++) {
      messaging.clock.advance(1_000);
      const other = await messaging.person({ isCoach: i === 0, profileImageId: i === 0 ? 'asset' : '' });
      await messaging.send(i % 2 ? ada : other, i % 2 ? other : ada, `message ${i}`);
      others.unshift(other);
    }
    const coach = others.at(-1)!;
    messaging.clock.advance(1_000);
    const newest = await messaging.send(coach, ada, 'again');
    const { items } = await messaging.conversations(ada);
    expect(items.map(({ otherUser }) => otherUser!.name)).toEqual(
      [coach, ...others.slice(0, -1)].map(({ name }) => name),
    );
    expect(items[0]).toEqual({
      id: newest.conversationId,
      otherUser: {
        id: coach.id,
        name: coach.name,
        username: expect.any(String),
        profileImageId: 'asset',
        isCoach: true,
      },
      lastMessage: {
        senderId: coach.id,
        receiverId: ada.id,
        content: 'again',
        type: newest.type,
        createdAt: newest.createdAt,
      },
      lastActivity: newest.createdAt,
      unreadCount: 2,
    });
    for (const limit of [1, 2, 3, 100]) {
      const paged = await messaging.all((cursor) => messaging.conversations(ada, { limit, cursor }));
      expect(paged).toEqual(items);
    }
  });

  // Rule: HTTP-6
  it('are paged without a gap where many have their activity in the same millisecond', async () => {
    const ada = await messaging.person();
    for (let i = 0; i < 9; i++) await messaging.start(ada, await messaging.person());
    const all = await idsOf(ada);
    expect(all).toEqual(all.toSorted().reverse());
    for (const limit of [1, 2, 4]) {
      const paged = await messaging.all((cursor) => messaging.conversations(ada, { limit, cursor }));
      expect(paged.map(({ id }) => id)).toEqual(all);
    }
  });

  // Rule: HTTP-6
  it('refuse cursors of others, of other lists and forged ones', async () => {
    const [ada, ben] = await two();
    const eve = await messaging.person();
    for (const other of [ben, eve]) await messaging.send(ada, other, 'hi');
    await messaging.send(ada, ben, 'hi again');
    const { nextCursor } = await messaging.conversations(ada, { limit: 1 });
    const { nextCursor: ofMessages } = await messaging.messages(ada, between(ada, ben), { limit: 1 });
    for (const cursor of [ofMessages, `${nextCursor}x`, 'x', 'a.b.c']) {
      expect(await outcome(messaging.conversations(ada, { cursor }))).toBe('invalid-argument invalid-cursor');
    }
    expect(await outcome(messaging.conversations(ben, { cursor: nextCursor }))).toBe(
      'invalid-argument invalid-cursor',
    );
    for (const [user, id] of [
      [ben, between(ada, ben)],
      [ada, between(ada, eve)],
    ] as const) {
      expect(await outcome(messaging.messages(user, id, { cursor: ofMessages }))).toBe(
        'invalid-argument invalid-cursor',
      );
    }
    for (const limit of [-1, 101]) {
      expect(await outcome(messaging.conversations(ada, { limit }))).toBe(
        'invalid-argument validation-failed',
      );
      expect(await outcome(messaging.messages(ada, between(ada, ben), { limit }))).toBe(
        'invalid-argument validation-failed',
      );
    }
  });

  // Rule: MSG-9
  it('are hidden from both while one has blocked the other', async () => {
    const [ada, ben] = await two();
    const { conversationId } = await messaging.send(ada, ben, 'before');
    await messaging.block(ben, ada);
    for (const [user, other] of [
      [ada, ben],
      [ben, ada],
    ] as const) {
      expect(await outcome(messaging.send(user, other, 'x'))).toBe('permission-denied blocked');
      expect(await outcome(messaging.start(user, other))).toBe('permission-denied blocked');
      expect(await idsOf(user)).toEqual([]);
      expect(await outcome(messaging.messages(user, conversationId))).toBe('not-found not-found');
      expect(await outcome(messaging.read(user, conversationId))).toBe('not-found not-found');
      expect((await messaging.news(user, 0)).messages).toEqual([]);
      expect(await messaging.badge(user)).toBe(0);
    }
    await messaging.block(ben, ada, false);
    expect(await idsOf(ada)).toEqual([conversationId]);
    expect(texts(await messaging.messages(ben, conversationId))).toEqual(['before']);
    expect(await messaging.badge(ben)).toBe(1);
  });

  // Rule: MSG-9
  it('fill their list up past many that a block hides, in a bounded number of reads', async () => {
    const ada = await messaging.person();
    const kept = [await messaging.person(), await messaging.person()];
    await messaging.send(ada, kept[0]!, 'oldest');
    for (let i = 0; i < 5; i++) {
      messaging.clock.advance(1);
      const blocked = await messaging.person();
      await messaging.send(ada, blocked, 'x');
      await messaging.block(blocked, ada);
    }
    messaging.clock.advance(1);
    await messaging.send(ada, kept[1]!, 'newest');
    const wanted = [between(ada, kept[1]!), between(ada, kept[0]!)];
    for (const limit of [1, 2, 3]) {
      const pages = await messaging.all((cursor) => messaging.conversations(ada, { limit, cursor }));
      expect(pages.map(({ id }) => id)).toEqual(wanted);
    }
  });

  // Rule: ACCT-31
  it('with somebody suspended are hidden until they are reinstated', async () => {
    const [ada, ben] = await two();
    const { conversationId } = await messaging.send(ben, ada, 'spam');
    await messaging.suspend(ben);
    expect(await idsOf(ada)).toEqual([]);
    expect(await messaging.badge(ada)).toBe(0);
    expect(await outcome(messaging.messages(ada, conversationId))).toBe('not-found not-found');
    expect(await outcome(messaging.send(ada, ben, 'x'))).toBe('not-found not-found');
    expect(await outcome(messaging.start(ada, ben))).toBe('not-found not-found');
    expect(await outcome(messaging.send(ben, ada, 'x'))).toBe('permission-denied user-disabled');
    expect(await outcome(messaging.conversations(ben))).toBe('permission-denied user-disabled');
    await messaging.change(ben, { status: 1 });
    expect(await idsOf(ada)).toEqual([conversationId]);
  });

  // Rule: MSG-11
  it('keep the messages of a deleted user under another name', async () => {
    const [ada, ben] = await two();
    const { conversationId } = await messaging.send(ben, ada, 'goodbye');
    await messaging.remove(ben);
    const { items } = await messaging.conversations(ada);
    expect(items[0]!.otherUser).toEqual({
      ...{ id: ben.id, name: 'Deleted user', username: '', profileImageId: '', isCoach: false },
    });
    expect(texts(await messaging.messages(ada, conversationId))).toEqual(['goodbye']);
    expect(await messaging.badge(ada)).toBe(1);
    await messaging.read(ada, conversationId);
    expect(await messaging.badge(ada)).toBe(0);
    expect(await outcome(messaging.send(ada, ben, 'x'))).toBe('not-found not-found');
    expect(await outcome(messaging.start(ada, ben))).toBe('not-found not-found');
  });

  // Rule: HTTP-30
  it('wait for users who have just signed up', async () => {
    const hasty = await TestMessaging.start({ READ_WAIT_MS: '0', WRITE_WAIT_MS: '0' });
    onTestEnd(() => hasty.stop());
    const ada = await hasty.person();
    const late = { id: newId(), name: 'Late' };
    expect(await outcome(hasty.start(late, ada))).toBe('unavailable unavailable');
    expect(await outcome(hasty.send(late, ada, 'x'))).toBe('unavailable unavailable');
    expect(await outcome(hasty.conversations(late))).toBe('unavailable unavailable');
    expect(await outcome(hasty.start(ada, late))).toBe('not-found not-found');
    const after = [{ topic: userTopic.name, key: late.id, version: 1 }];
    expect(await outcome(hasty.start(ada, late, { after }))).toBe('unavailable unavailable');
    await hasty.tell(userTopic, UserState.fromPartial({ ...late, status: 1, username: 'late', version: 1 }));
    expect((await hasty.start(ada, late, { after })).created).toBe(true);
  });

  // Rule: HTTP-4
  it('have no calls for visitors', async () => {
    const ada = await messaging.person();
    const calls = [
      messaging.as(null, (client) => client.listConversations({ limit: 0, cursor: '' })),
      messaging.as(null, (client) => client.startConversation({ userId: ada.id })),
      messaging.as(null, (client) => client.listMessages({ conversationId: 'x', limit: 0, cursor: '' })),
      messaging.as(null, (client) =>
        client.sendMessage({ receiverId: ada.id, content: 'x', idempotency: undefined }),
      ),
      messaging.as(null, (client) => client.markConversationRead({ conversationId: 'x', upTo: undefined })),
      messaging.as(null, (client) => client.getUnreadCounts({})),
      messaging.as(null, (client) => client.listNews({ since: 0 })),
    ];
    for (const call of calls) expect(await outcome(call)).toBe('unauthenticated not-authenticated');
  });
});
