import { drainEvents } from '../../src/events/outbox/drain-events.js';
import type { EventBus } from '../../src/events/event-bus.js';
import { republish } from '../../src/events/republish.js';
import { commentTopic, postTopic } from '@pulso/contracts/topics/posts';
import { gate } from '../../testing/gate.js';
import { until } from '../../testing/until.js';
import { type BusFixture, QUICK } from './bus-fixture.js';
import { tokenOf, postEvent, Recorder } from './recorder.js';
import { states } from './republication-suite.js';

/** The contract of a bus whose projections run in the same process, so that it can wait for them. */
export function describeSettled(fixture: () => BusFixture): void {
  const drained = (bus: EventBus) => drainEvents({ relays: [], bus, timeoutMs: 100_000 });

  describe('delivered', () => {
    it('waits for a state that is not published yet, and for all projections', async () => {
      const held = gate('the slow projection to be let go');
      const slow = new Recorder('slow', { before: () => held.opened });
      const quick = new Recorder('quick');
      const bus = await fixture().bus([slow, quick]);
      let answer: boolean | undefined;
      const delivered = bus.delivered([tokenOf(postEvent('a'))], 100_000).then((value) => (answer = value));
      await bus.publish([postEvent('a')]);
      await quick.received(1);
      expect(answer).toBeUndefined();
      held.open();
      await delivered;
      expect(answer).toBe(true);
      expect(await bus.delivered([tokenOf(postEvent('a'))], 0)).toBe(true);
    });

    it('accepts a newer state than the requested one', async () => {
      const recorder = new Recorder('posts');
      const bus = await fixture().bus([recorder]);
      const older = [tokenOf(postEvent('a', 4)), tokenOf(postEvent('a', 5)), tokenOf(postEvent('b', 1))];
      const delivered = bus.delivered(older, 100_000);
      await bus.publish([postEvent('a', 9), postEvent('b', 1)]);
      expect(await delivered).toBe(true);
      expect(await bus.delivered([tokenOf(postEvent('a', 10))], 5)).toBe(false);
    });

    it('resolves to false after the timeout, also for a failing projection', async () => {
      const recorder = new Recorder('posts', {
        before: () => {
          throw new Error('broken');
        },
      });
      const bus = await fixture().bus([recorder], QUICK);
      await bus.publish([postEvent('a')]);
      await drained(bus);
      expect(await bus.delivered([tokenOf(postEvent('a'))], 20)).toBe(false);
      expect(await bus.delivered([tokenOf(postEvent('never'))], 20)).toBe(false);
    });

    it('does not wait for topics without projections, nor for reactions', async () => {
      const held = gate('the reaction to be let go');
      const reaction = new Recorder('mail', { reaction: true, before: () => held.opened });
      const bus = await fixture().bus([reaction]);
      await bus.publish([postEvent('a')]);
      expect(await bus.delivered([tokenOf(postEvent('a'))], 0)).toBe(true);
      expect(await bus.delivered([{ topic: commentTopic.name, key: 'c', version: 1 }], 0)).toBe(true);
      expect(await bus.delivered([], 0)).toBe(true);
    });

    it('knows events that were handled before this process started', async () => {
      const before = await fixture().bus([new Recorder('posts')]);
      await before.publish([postEvent('a', 3)]);
      await drained(before);
      await before.stop();
      const after = await fixture().bus([new Recorder('posts')]);
      expect(await after.delivered([tokenOf(postEvent('a', 2))], 100_000)).toBe(true);
    });

    it('resolves to false when the bus stops', async () => {
      const bus = await fixture().bus([new Recorder('posts')]);
      const delivered = bus.delivered([tokenOf(postEvent('a'))], 60_000);
      await bus.stop();
      expect(await delivered).toBe(false);
    });
  });

  describe('the start of a republication', () => {
    it('is handled before a state is read', async () => {
      let noticed = 0;
      const readAt: number[] = [];
      const read = async function* () {
        for await (const state of states(3)) {
          readAt.push(noticed);
          yield state;
        }
      };
      const consumer = Object.assign(new Recorder('projection'), {
        republishStarted: async () => {
          noticed += 1;
          if (noticed === 1) throw new Error('not yet');
        },
      });
      const bus = await fixture().bus([consumer], QUICK);
      await republish({ topic: postTopic, states: read(), bus });
      expect(readAt).toEqual([2, 2, 2]);
    });

    it('fails the republication if a projection does not handle it', async () => {
      const consumer = Object.assign(new Recorder('projection'), {
        republishStarted: () => Promise.reject(new Error('never')),
      });
      const bus = await fixture().bus([consumer], { ...QUICK, attempts: 1 });
      const all = new Recorder('all');
      const republication = republish({ topic: postTopic, states: states(1), bus });
      const refused = expect(republication).rejects.toThrow('have not handled');
      const hasDied = async () => (await bus.deadLetters()).length > 0;
      await until(hasDied, { what: 'the marker in the dead letters' });
      await bus.stop();
      await refused;
      await drained(await fixture().bus([all]));
      expect(all.handled).toEqual([]);
    });
  });
}
