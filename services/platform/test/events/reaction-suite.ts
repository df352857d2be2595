import { drainEvents } from '../../src/events/outbox/drain-events.js';
import type { EventBus } from '../../src/events/event-bus.js';
import { republish } from '../../src/events/republish.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { type BusFixture, QUICK } from './bus-fixture.js';
import { aPost, postEvent, Recorder } from './recorder.js';
import { states } from './republication-suite.js';

/** The part of the bus suite on reactions: where they begin, and what they never get. */
export function describeReactions(fixture: () => BusFixture): void {
  const aReaction = (options: ConstructorParameters<typeof Recorder>[1] = {}) =>
    new Recorder('mail', { ...options, reaction: true });

  const drained = (bus: EventBus) => drainEvents({ relays: [], bus, timeoutMs: 100_000 });

  describe('a reaction', () => {
    it('begins at the end of its topic when it is new', async () => {
      const before = await fixture().bus([new Recorder('old')]);
      await before.publish([postEvent('a'), postEvent('b')]);
      await drained(before);
      await before.stop();
      const [reaction, projection] = [aReaction(), new Recorder('fresh')];
      const after = await fixture().bus([reaction, projection]);
      await after.publish([postEvent('c'), postEvent('a', 2)]);
      await Promise.all([reaction.received(2), projection.received(4)]);
      await drained(after);
      expect(reaction.handled.toSorted()).toEqual(['a@2', 'c@1']);
    });

    it('gets what was published while it did not run, also if it has never handled an event', async () => {
      const other = await fixture().bus([]);
      await other.publish([postEvent('history')]);
      await (await fixture().bus([aReaction()])).stop();
      await other.publish([postEvent('a')]);
      const second = aReaction();
      const bus = await fixture().bus([second]);
      await second.received(1);
      await bus.stop();
      await other.publish([postEvent('b')]);
      const third = aReaction();
      const last = await fixture().bus([third]);
      await third.received(1);
      await drained(last);
      expect([...second.handled, ...third.handled]).toEqual(['a@1', 'b@1']);
    });

    it('answers under its new name what came since its former one began, and no more', async () => {
      const other = await fixture().bus([]);
      await other.publish([postEvent('history')]);
      const former = aReaction();
      const before = await fixture().bus([former]);
      await before.publish([postEvent('a')]);
      await former.received(1);
      await drained(before);
      await before.stop();
      await other.publish([postEvent('b')]);
      const renamed = new Recorder('letters', { reaction: true, formerGroups: ['mail'] });
      await drained(await fixture().bus([renamed]));
      expect([former.handled, renamed.handled]).toEqual([['a@1'], ['b@1']]);
    });

    it('gets no republished event, and no event a second time because of a republication', async () => {
      const reaction = aReaction();
      const bus = await fixture().bus([reaction]);
      await bus.publish([postEvent('post-0')]);
      await reaction.received(1);
      await republish({ topic: postTopic, states: states(3), bus });
      await bus.publish([postEvent('post-2', 9)]);
      await reaction.received(2);
      await drained(bus);
      expect(reaction.handled).toEqual(['post-0@1', 'post-2@9']);
    });

    it('gets an older state after a newer one where the older one was a dead letter', async () => {
      let broken = true;
      const reaction = aReaction({
        before: ({ version }) => {
          if (broken && version === 1) throw new Error('not yet');
        },
      });
      const bus = await fixture().bus([reaction], QUICK);
      await bus.publish([postEvent('a', 1), postEvent('a', 2)]);
      await drained(bus);
      broken = false;
      expect(await bus.replay('mail')).toMatchObject({ tried: 1, failed: 0 });
      expect(reaction.handled).toEqual(['a@2', 'a@1']);
      expect(reaction.states).toContainEqual(aPost({ id: 'a', version: 2 }));
    });
  });
}
