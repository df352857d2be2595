import type { PostState } from '@pulso/contracts/posts/v1/events';
import { drainEvents } from '../../src/events/outbox/drain-events.js';
import type { EventBus, RepublishEnd, RepublishStart } from '../../src/events/event-bus.js';
import { republish } from '../../src/events/republish.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { type BusFixture, QUICK } from './bus-fixture.js';
import { aPost, postEvent, Recorder } from './recorder.js';

/** This number of posts, as their owner reads them for a republication. */
export async function* states(count: number): AsyncGenerator<PostState> {
  for (let index = 0; index < count; index += 1) yield aPost({ id: `post-${index}` });
}

/** The part of the bus suite on `republish`. */
export function describeRepublication(fixture: () => BusFixture): void {
  describe('republication', () => {
    const drained = (bus: EventBus) => drainEvents({ relays: [], bus, timeoutMs: 100_000 });

    it('reaches projections again but never reactions, not even new ones', async () => {
      const projection = new Recorder('projection');
      const reaction = new Recorder('reaction', { reaction: true });
      const bus = await fixture().bus([projection, reaction]);
      await bus.publish([postEvent('post-0')]);
      await Promise.all([projection.received(1), reaction.received(1)]);
      expect(await republish({ topic: postTopic, states: states(3), bus })).toBe(3);
      await projection.received(4);
      await drained(bus);
      expect(projection.handled.slice(1).toSorted()).toEqual(['post-0@1', 'post-1@1', 'post-2@1']);
      expect(reaction.handled).toEqual(['post-0@1']);
      await bus.stop();
      const newReaction = new Recorder('new-reaction', { reaction: true });
      await drained(await fixture().bus([newReaction]));
      expect(newReaction.handled).toEqual([]);
    });

    it('has markers before and after all its states, also if one of them fails at first', async () => {
      const starts: (RepublishStart & { handled: number })[] = [];
      const ends: (RepublishEnd & { handled: number })[] = [];
      let failures = 2;
      const recorder = new Recorder('projection', {
        before: ({ id }) => {
          if (id === 'post-5' && failures-- > 0) throw new Error('not yet');
        },
      });
      let noticed = false;
      const consumer = Object.assign(recorder, {
        async republishStarted(start: RepublishStart) {
          if (!noticed) {
            noticed = true;
            throw new Error('not yet');
          }
          starts.push({ ...start, handled: recorder.handled.length });
        },
        async republishEnded(end: RepublishEnd) {
          ends.push({ ...end, handled: recorder.handled.length });
        },
      });
      const bus = await fixture().bus([consumer], { ...QUICK, firstMs: 5 });
      await republish({ topic: postTopic, states: states(450), bus });
      await drained(bus);
      const marker = { run: expect.any(String), partition: 0, partitions: 1 };
      expect(starts).toEqual([{ ...marker, handled: 0 }]);
      expect(ends).toEqual([{ ...marker, run: starts[0]!.run, states: 450, handled: 450 }]);
    });
  });
}
