import { userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic } from '@pulso/contracts/topics/social';
import type { Topic } from '@pulso/contracts/topics/topic';
import { republish } from '@pulso/platform/events/republish';
import { BlockRows } from '../src/projections/block.schema.js';
import { UserRows } from '../src/projections/user.schema.js';
import { outcome, type Person, TestMessaging } from './start.js';

describe('projections of people', () => {
  let messaging: TestMessaging;
  let viewer: Person;
  let plain: Person;
  let blocked: Person;
  let runs = 0;
  const states = new Map<Topic<never>, Map<string, { version: number }>>();
  beforeAll(async () => {
    messaging = await TestMessaging.start();
    for (const topic of [userTopic, blockTopic] as unknown as Topic<{ version: number }>[]) {
      const held = new Map<string, { version: number }>();
      states.set(topic as never, held);
      const tell = messaging.service.tell.bind(messaging.service);
      messaging.service.tell = async (told, state) => {
        if (told.name === topic.name) held.set(told.keyOf(state), state as never);
        await tell(told, state);
      };
    }
    viewer = await messaging.person();
    plain = await messaging.person();
    blocked = await messaging.person();
    for (const other of [plain, blocked]) await messaging.send(other, viewer, 'hello');
    await messaging.block(blocked, viewer);
    await messaging.suspend(await messaging.person());
  });
  afterAll(() => messaging?.stop());

  const shown = async () =>
    (await messaging.conversations(viewer)).items.map(({ otherUser }) => otherUser!.name);
  const rowsOf = (rows: UserRows | BlockRows) =>
    (rows as UserRows).find(
      {},
      { projection: { changedAt: 0, confirmedBy: 0 }, sort: { _id: 1 }, limit: 100 },
    );
  const republishAll = async () => {
    for (const [topic, held] of states) {
      const { bus } = messaging.service;
      await republish({
        topic,
        states: (async function* () {
          yield* held.values();
        })() as never,
        bus,
        // Each run is later than the one before, by the clock that the test moves.
        time: messaging.clock.now() + (runs += 1),
      });
    }
    await messaging.service.drainEvents();
  };

  it.each<[string, (rows: UserRows['raw']) => Promise<unknown>]>([
    ['thrown away', (rows) => rows.deleteMany({ _id: { $gt: '' } })],
    [
      'corrupted, with versions that would reject the right states',
      (rows) =>
        rows.updateMany(
          { _id: { $gt: '' } },
          { $set: { name: 'Mallory', status: 'active', active: false, version: 9e15 } as never },
        ),
    ],
    [
      'extended by rows that were never published',
      (rows) =>
        rows.insertOne({
          ...{ _id: `${viewer.id}_${plain.id}`, status: 'active', active: true, version: 9e15 },
          changedAt: new Date(Date.now() - 60_000),
        } as never),
    ],
  ])('are restored after they were %s', async (_, spoil) => {
    const collections = [messaging.service.get(UserRows), messaging.service.get(BlockRows)];
    const before = await Promise.all(collections.map(rowsOf));
    expect(await shown()).toEqual([plain.name]);
    for (const rows of collections) await spoil(rows.raw as never);
    expect(await Promise.all(collections.map(rowsOf))).not.toEqual(before);
    await republishAll();
    expect(await Promise.all(collections.map(rowsOf))).toEqual(before);
    expect(await shown()).toEqual([plain.name]);
  });

  // Rule: HTTP-30
  it('answer late, and not wrongly, while the caller is missing', async () => {
    await messaging.service.get(UserRows).raw.deleteOne({ _id: viewer.id });
    messaging.service.interruptSignals();
    expect(await outcome(messaging.conversations(viewer))).toBe('unavailable unavailable');
    await republishAll();
    expect(await shown()).toEqual([plain.name]);
  });
});
