import { drainEvents } from '../../src/events/outbox/drain-events.js';
import type { EventBus } from '../../src/events/event-bus.js';
import { type BusFixture, QUICK } from './bus-fixture.js';
import { postEvent, Recorder } from './recorder.js';

/** The part of the bus suite on groups that had other names in earlier versions. */
export function describeRenamedGroups(fixture: () => BusFixture): void {
  const drained = (bus: EventBus) => drainEvents({ relays: [], bus, timeoutMs: 100_000 });

  describe('a group that is renamed', () => {
    const aRenamed = (options: ConstructorParameters<typeof Recorder>[1] = {}) =>
      new Recorder('feed.post', { ...options, formerGroups: ['feed.posts', 'feed'] });

    it.each(['feed', 'feed.posts'])('takes over the position and the dead letters of %s', async (former) => {
      let broken = true;
      const before = ({ id }: { id: string }) => {
        if (broken && id.startsWith('bad')) throw new Error('cannot digest this');
      };
      const old = await fixture().bus([new Recorder(former, { before })], QUICK);
      await old.publish(['a', 'bad', 'b', 'bad-too'].map((id) => postEvent(id)));
      await drained(old);
      await old.stop();
      await (await fixture().bus([])).publish([postEvent('outstanding')]);
      broken = false;
      const renamed = aRenamed({ before });
      const bus = await fixture().bus([renamed], QUICK);
      await drained(bus);
      expect(renamed.handled).toEqual(['outstanding@1']);
      const letter = (key: string) => ({ group: 'feed.post', key });
      expect(await bus.deadLetters()).toMatchObject([letter('bad'), letter('bad-too')]);
      expect(await bus.discard('feed.post', postEvent('bad-too').id)).toBe(true);
      expect(await bus.replay('feed.post')).toEqual({ tried: 1, failed: 0, named: [] });
      expect(renamed.handled).toEqual(['outstanding@1', 'bad@1']);
      expect(await bus.deadLetters()).toEqual([]);
    });

    it('takes nothing from a group that it does not name', async () => {
      const old = await fixture().bus([new Recorder('feed.old')]);
      await old.publish([postEvent('a')]);
      await drained(old);
      await old.stop();
      const renamed = aRenamed();
      await drained(await fixture().bus([renamed]));
      expect(renamed.handled).toEqual(['a@1']);
    });
  });
}
