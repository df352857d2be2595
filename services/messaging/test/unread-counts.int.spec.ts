import { jest } from '@jest/globals';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { MessageCollection } from '../src/store/message.schema.js';
import { type Person, TestMessaging } from './start.js';

let messaging: TestMessaging;
beforeAll(async () => (messaging = await TestMessaging.start()));
afterAll(() => messaging?.stop());

/** Puts more messages after the first one of a conversation, as if they had been sent. */
const unreadMessages = async (receiver: Person, sender: Person, count: number) => {
  const rows = messaging.service.get(MessageCollection).raw;
  const first = await rows.findOne({ unreadBy: receiver.id, senderId: sender.id });
  const more = Array.from({ length: count }, (_, at) => ({
    ...first!,
    _id: newId(),
    seq: first!.seq + 1 + at,
  }));
  await rows.insertMany(more);
};

// Rule: MSG-17
it('unread messages are counted up to a bound, and one sender hides no other', async () => {
  const [ada, ben] = [await messaging.person(), await messaging.person()];
  const [eve, gone] = [await messaging.person(), await messaging.person()];
  for (const sender of [gone, eve, ben]) {
    messaging.clock.advance(1);
    await messaging.send(sender, ada, 'first');
  }
  await unreadMessages(ada, gone, 1_500);
  await unreadMessages(ada, eve, 1_500);
  await unreadMessages(ada, ben, 3);
  const reads = jest.spyOn(messaging.service.get(MessageCollection), 'find');
  onTestEnd(() => reads.mockRestore());
  expect(await messaging.badge(ada)).toBe(1_000 + 1_000 + 4);
  const counts = async () => {
    const { items } = await messaging.conversations(ada);
    return items.map(({ otherUser, unreadCount }) => [otherUser!.id, unreadCount]);
  };
  expect(await counts()).toEqual([
    [ben.id, 4],
    [eve.id, 100],
    [gone.id, 100],
  ]);
  expect(Math.max(...reads.mock.calls.map(([, options]) => options?.limit ?? Infinity))).toBe(1_000);
  // The index has all of it, so that no message is read, however long it is.
  for (const [filter, options] of reads.mock.calls) {
    expect(Object.keys(filter).filter((field) => !['unreadBy', 'senderId', 'seq'].includes(field))).toEqual(
      [],
    );
    expect(options!.projection).toEqual({ senderId: 1, _id: 0 });
  }
  await messaging.suspend(gone);
  expect(await messaging.badge(ada)).toBe(1_000 + 4);
  await messaging.suspend(eve);
  expect(await messaging.badge(ada)).toBe(4);
  expect(await counts()).toEqual([[ben.id, 4]]);
});
