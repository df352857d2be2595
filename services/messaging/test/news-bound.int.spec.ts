import { newId } from '@pulso/platform/ids/uuid-v7';
import { aMongoDatabase, type TestDatabase } from '@pulso/platform/testing/databases';
import { type MongodbProxy, startMongodbProxy } from '@pulso/platform/testing/mongodb-proxy';
import { MessageCollection, type MessageDocument } from '../src/store/message.schema.js';
import { type Person, TestMessaging } from './start.js';

/** The longest text that a message may have, 16,000 bytes. */
const LONGEST = '💪'.repeat(4_000);
const KIB = 1024;

// Rule: NOTIF-13
describe('a reading of news', () => {
  let database: TestDatabase;
  let proxy: MongodbProxy;
  let messaging: TestMessaging;
  beforeAll(async () => {
    database = aMongoDatabase('news');
    proxy = await startMongodbProxy(database.url);
    messaging = await TestMessaging.start({ MESSAGING_DATABASE_URL: proxy.url });
  });
  beforeEach(() => messaging.clock.advance(60_000));
  afterAll(async () => {
    await messaging?.stop();
    await database.drop();
    await proxy.stop();
  });

  const people = (count: number) => Promise.all(Array.from({ length: count }, () => messaging.person()));
  /** Puts `count` more messages after the first one of each sender, one a millisecond in turn, as if they had been sent. */
  const further = async (receiver: Person, senders: readonly Person[], count: number) => {
    const rows = messaging.service.get(MessageCollection).raw;
    const more: MessageDocument[] = [];
    for (const [turn, { id: senderId }] of senders.entries()) {
      const first = (await rows.findOne({ senderId, receiverId: receiver.id }))!;
      for (let at = 1; at <= count; at += 1) {
        const createdAt = new Date(first.createdAt.getTime() + at * senders.length + turn);
        more.push({ ...first, _id: newId(), seq: first.seq + at, createdAt });
      }
    }
    await rows.insertMany(more);
  };
  const counted = async <T>(work: () => Promise<T>) => {
    const answered = (proxy.answered = { bytes: 0, documents: 0 });
    const result = await work();
    proxy.answered = undefined;
    return { result, ...answered };
  };

  it('reads the newest up to a bound in bytes, of however many conversations', async () => {
    const [ada] = (await people(1)) as [Person];
    const senders = await people(10);
    const since = messaging.clock.now();
    for (const sender of senders) await messaging.send(sender, ada, LONGEST);
    await further(ada, senders, 20);
    const { result, bytes } = await counted(() => messaging.news(ada, since));
    expect(result.moreMessages).toBe(true);
    expect(result.counts!.messages).toBe(210);
    // The eight that fit, from the last round of senders, oldest first.
    expect(result.messages.map(({ senderId }) => senderId)).toEqual(senders.slice(2).map(({ id }) => id));
    // There are 3.2 MiB.
    expect(bytes).toBeLessThan(256 * KIB);
  });

  it('reads no more than 50 messages of each side, and none that is older than one that it leaves out', async () => {
    const [ada, ben, eve] = (await people(3)) as [Person, Person, Person];
    const since = messaging.clock.now();
    await messaging.send(eve, ada, 'early');
    messaging.clock.advance(1);
    await messaging.send(ada, ben, 'first');
    await further(ben, [ada], 200);
    messaging.clock.advance(1_000);
    await messaging.send(eve, ada, 'late');
    const { result, documents } = await counted(() => messaging.news(ada, since));
    const { messages, moreMessages } = result;
    expect([messages.length, messages.at(-1)!.content, moreMessages]).toEqual([50, 'late', true]);
    expect(messages.filter(({ senderId }) => senderId === eve.id)).toHaveLength(1);
    // Sixty of the messages, and the rows of unread messages and of people.
    expect(documents).toBeLessThan(80);
    // Ben has received all of them.
    expect(await messaging.badge(ben)).toBe(201);
  });

  it('leaves nothing out of a few', async () => {
    const [ada, ben] = (await people(2)) as [Person, Person];
    const since = messaging.clock.now();
    await messaging.send(ada, ben, 'one');
    await messaging.send(ben, ada, 'two');
    await messaging.send(ada, ben, 'three');
    for (const reader of [ada, ben]) {
      const { messages, moreMessages } = await messaging.news(reader, since);
      expect(messages.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
      expect(moreMessages).toBe(false);
    }
  });
});
