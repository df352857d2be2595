import { setImmediate } from 'node:timers/promises';
import { drainEvents } from '../../src/events/drain-events.js';
import type { EventBus, RepublishEnd, RepublishStart } from '../../src/events/event-bus.js';
import { republish } from '../../src/events/republish.js';
import { postTopic } from '../../src/events/topics.js';
import { type BusHouse, QUICK } from './bus-house.js';
import { aPost, postEvent, Recorder } from './recorder.js';

/** The part of the bus suite on `republish`. */
export function describeRepublication(house: () => BusHouse): void {
  describe('republication', () => {
    const drained = (bus: EventBus) => drainEvents({ relays: [], bus });
    const states = async function* (count: number) {
      for (let index = 0; index < count; index += 1) yield aPost({ id: `post-${index}` });
    };

    it('reaches projections again but never reactions, not even new ones', async () => {
      const projection = new Recorder('projection');
      const reaction = new Recorder('reaction', { reaction: true });
      const bus = await house().bus([projection, reaction]);
      await bus.publish([postEvent('post-0')]);
      await Promise.all([projection.received(1), reaction.received(1)]);
      expect(await republish({ topic: postTopic, states: states(3), bus })).toBe(3);
      await projection.received(4);
      await drained(bus);
      expect(projection.handled.slice(1).toSorted()).toEqual(['post-0@1', 'post-1@1', 'post-2@1']);
      expect(reaction.handled).toEqual(['post-0@1']);
      await bus.stop();
      const newReaction = new Recorder('new-reaction', { reaction: true });
      await drained(await house().bus([newReaction]));
      expect(newReaction.handled).toEqual(['post-0@1']);
    });

    it('stands between markers, before and after all its states, though one of them fails at first', async () => {
      const starts: (RepublishStart & { handled: number; read: number })[] = [];
      const ends: (RepublishEnd & { handled: number })[] = [];
      let read = 0;
      const counted = async function* () {
        for await (const state of states(450)) {
          read += 1;
          yield state;
        }
      };
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
          starts.push({ ...start, handled: recorder.handled.length, read });
        },
        async republishEnded(end: RepublishEnd) {
          ends.push({ ...end, handled: recorder.handled.length });
        },
      });
      const bus = await house().bus([consumer], { ...QUICK, firstMs: 5 });
      await republish({ topic: postTopic, states: counted(), bus });
      await drained(bus);
      const marker = { run: expect.any(String), partition: 0, partitions: 1 };
      expect(starts).toEqual([{ ...marker, handled: 0, read: 0 }]);
      expect(ends).toEqual([{ ...marker, run: starts[0]!.run, states: 450, handled: 450 }]);
    });

    it('does not begin before the projections have noticed', async () => {
      const consumer = Object.assign(new Recorder('projection'), {
        republishStarted: () => Promise.reject(new Error('never')),
      });
      const bus = await house().bus([consumer], { ...QUICK, attempts: 1 });
      const all = new Recorder('all');
      const republication = republish({ topic: postTopic, states: states(1), bus });
      const refused = expect(republication).rejects.toThrow('took no notice');
      while ((await bus.deadLetters()).length === 0) await setImmediate();
      await bus.stop();
      await refused;
      await drained(await house().bus([all]));
      expect(all.handled).toEqual([]);
    });
  });
}
