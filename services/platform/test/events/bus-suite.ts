import mongoose from 'mongoose';
import { currentContext, runInContext, type RequestContext } from '../../src/context/request-context.js';
import { unavailable } from '../../src/errors/domain-error.js';
import { drainEvents } from '../../src/events/outbox/drain-events.js';
import type { EventBus } from '../../src/events/event-bus.js';
import { gate } from '../../testing/gate.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { until } from '../../testing/until.js';
import { type BusFixture, QUICK } from './bus-fixture.js';
import { describeDeadLetters } from './dead-letter-suite.js';
import { describeReactions } from './reaction-suite.js';
import { aPost, postEvent, Recorder } from './recorder.js';
import { describeRenamedGroups } from './renamed-suite.js';
import { describeRepublication } from './republication-suite.js';

/** The contract of every event bus; `more` adds tests for some of them. */
export function describeEventBus(
  name: string,
  openHouse: () => Promise<BusFixture>,
  more: readonly ((fixture: () => BusFixture) => void)[] = [],
): void {
  describe(name, () => {
    let fixture: BusFixture;
    beforeEach(async () => void (fixture = await openHouse()));
    const drained = (bus: EventBus) => drainEvents({ relays: [], bus, timeoutMs: 100_000 });

    describe('delivery', () => {
      it('delivers every event, decoded, to every group', async () => {
        const first = new Recorder('first');
        const second = new Recorder('second');
        const bus = await fixture.bus([first, second]);
        await bus.publish([postEvent('a'), postEvent('b', 7)]);
        await Promise.all([first.received(2), second.received(2)]);
        expect(first.handled.toSorted()).toEqual(['a@1', 'b@7']);
        expect(second.handled.toSorted()).toEqual(['a@1', 'b@7']);
        expect(first.states).toContainEqual(aPost({ id: 'b', version: 7 }));
        await drained(bus);
        expect(await bus.deadLetters()).toEqual([]);
      });

      it('delivers an event that is published twice once', async () => {
        const recorder = new Recorder('posts');
        const bus = await fixture.bus([recorder]);
        await bus.publish([postEvent('a'), postEvent('a')]);
        await bus.publish([postEvent('a')]);
        await bus.publish([postEvent('z')]);
        await recorder.received(2);
        await drained(bus);
        expect(recorder.handled).toEqual(['a@1', 'z@1']);
      });

      it('keeps the order of a key and handles several keys at once', async () => {
        const held = gate('the slow handler to be let go');
        const started = gate('the slow handler to start');
        const recorder = new Recorder('posts', {
          before: ({ id, version }) => {
            if (id !== 'slow' || version !== 1) return undefined;
            started.open();
            return held.opened;
          },
        });
        const bus = await fixture.bus([recorder]);
        await bus.publish([
          postEvent('slow', 1),
          postEvent('slow', 2),
          postEvent('slow', 3),
          postEvent('quick'),
        ]);
        await started.opened;
        await recorder.received(1);
        expect(recorder.handled).toEqual(['quick@1']);
        held.open();
        await recorder.received(4);
        expect(recorder.handled.slice(1)).toEqual(['slow@1', 'slow@2', 'slow@3']);
      });

      it('handles more events than it holds in memory', async () => {
        const held = gate('the handlers to be let go');
        const recorder = new Recorder('posts', { before: () => held.opened });
        const bus = await fixture.bus([recorder]);
        const keys = Array.from({ length: 2_500 }, (_, index) => `post-${index}`);
        for (let from = 0; from < keys.length; from += 500) {
          await bus.publish(keys.slice(from, from + 500).map((key) => postEvent(key)));
        }
        expect(await bus.pending()).toBe(2_500);
        held.open();
        await recorder.received(2_500);
        await drained(bus);
        expect(new Set(recorder.handled).size).toBe(2_500);
      });

      it('runs handlers outside of the request that published', async () => {
        const contexts: unknown[] = [];
        const recorder = new Recorder('posts', { before: () => void contexts.push(currentContext()) });
        const bus = await fixture.bus([recorder]);
        const request = { requestId: 'r', wrote: [] } as unknown as RequestContext;
        await runInContext(request, () => bus.publish([postEvent('a')]));
        await recorder.received(1);
        expect(contexts).toEqual([undefined]);
      });

      it('refuses a second consumer of a topic in one group, and consumers after the start', async () => {
        await expect(fixture.bus([new Recorder('posts'), new Recorder('posts')])).rejects.toThrow('twice');
        const bus = await fixture.bus([]);
        expect(() => bus.subscribe(new Recorder('late'))).toThrow('before the bus starts');
      });
    });

    describe('failures', () => {
      it('retries, and handles other events of the key meanwhile', async () => {
        let failures = 2;
        const recorder = new Recorder('posts', {
          before: ({ version }) => {
            if (version === 1 && failures-- > 0) throw new Error('not yet');
          },
        });
        const bus = await fixture.bus([recorder], QUICK);
        await bus.publish([postEvent('a', 1), postEvent('a', 2)]);
        await recorder.received(2);
        await drained(bus);
        expect(recorder.handled).toEqual(['a@2', 'a@1']);
        expect(recorder.attempts).toBe(4);
      });

      it.each([
        ['is down', unavailable()],
        [
          'elects a primary',
          new mongoose.mongo.MongoServerError({ code: 189, message: 'PrimarySteppedDown' }),
        ],
      ])('retries for ever while a store %s', async (_what, trouble) => {
        let failures = 20;
        const recorder = new Recorder('posts', {
          before: () => {
            if (failures-- > 0) throw trouble;
          },
        });
        const bus = await fixture.bus([recorder], QUICK);
        await bus.publish([postEvent('a')]);
        await recorder.received(1);
        expect(await bus.deadLetters()).toEqual([]);
      });

      it('gives up a handler that hangs, and retries without a count', async () => {
        const held = gate('the handler that hangs to be let go');
        let hangs = 4;
        const recorder = new Recorder('posts', {
          before: async () => {
            if (hangs-- <= 0) return;
            await held.opened;
            throw new Error('nobody waits any more');
          },
        });
        const bus = await fixture.bus([recorder], { ...QUICK, handlerMs: 1 });
        await bus.publish([postEvent('a')]);
        await recorder.received(1);
        // With their later failures, of which none may end the process.
        held.open();
        await drained(bus);
        expect([recorder.handled, recorder.attempts]).toEqual([['a@1'], 5]);
        expect(await bus.deadLetters()).toEqual([]);
      });

      it('makes a dead letter after the last attempt, continues, and replays only to the failed handler', async () => {
        let poisonous = true;
        const failing = new Recorder('failing', {
          before: ({ id }) => {
            if (poisonous && id !== 'good') throw new Error('cannot digest this');
          },
        });
        const healthy = new Recorder('healthy');
        const bus = await fixture.bus([failing, healthy], QUICK);
        await bus.publish([postEvent('bad'), postEvent('worse'), postEvent('good')]);
        await Promise.all([failing.received(1), healthy.received(3)]);
        await drained(bus);
        const letters = await bus.deadLetters();
        expect(letters.map(({ group, eventId }) => [group, eventId])).toEqual([
          ['failing', postEvent('bad').id],
          ['failing', postEvent('worse').id],
        ]);
        expect(letters[0]).toMatchObject({
          attempts: 3,
          error: expect.stringContaining('cannot digest this'),
        });
        expect(failing.attempts).toBe(3 + 3 + 1);

        expect(await bus.replay('failing', postEvent('bad').id)).toMatchObject({ tried: 1, failed: 1 });
        expect((await bus.deadLetters('failing')).map(({ eventId }) => eventId).toSorted()).toEqual([
          postEvent('bad').id,
          postEvent('worse').id,
        ]);

        poisonous = false;
        expect(await bus.replay('failing')).toEqual({ tried: 2, failed: 0, named: [] });
        await failing.received(3);
        await drained(bus);
        expect(failing.handled.toSorted()).toEqual(['bad@1', 'good@1', 'worse@1']);
        expect(healthy.handled).toHaveLength(3);
        expect(await bus.deadLetters()).toEqual([]);
        expect(await bus.replay('failing')).toEqual({ tried: 0, failed: 0, named: [] });
      });

      it('ends a replay when its outcome is known', async () => {
        const mended = new Set<string>();
        const recorder = new Recorder('posts', {
          before: ({ id }) => {
            if (!mended.has(id)) throw new Error('cannot digest this');
          },
        });
        const bus = await fixture.bus([recorder], QUICK);
        await bus.publish([postEvent('a'), postEvent('b')]);
        await drained(bus);
        mended.add('a');
        expect(await bus.replay('posts')).toMatchObject({ tried: 2, failed: 1, named: [{ key: 'b' }] });
        expect(recorder.handled).toEqual(['a@1']);
        expect(recorder.attempts).toBe(3 + 3 + 2);
        expect(await bus.deadLetters()).toMatchObject([{ key: 'b', attempts: 3 }]);
      });

      it('discards one dead letter, and no other', async () => {
        const hopeless = () =>
          new Recorder('posts', {
            before: () => {
              throw new Error('never');
            },
          });
        const bus = await fixture.bus([hopeless()], QUICK);
        await bus.publish([postEvent('a'), postEvent('b')]);
        await drained(bus);
        expect(await bus.discard('posts', 'another')).toBe(false);
        expect(await bus.discard('others', postEvent('a').id)).toBe(false);
        expect(await bus.discard('posts', postEvent('a').id)).toBe(true);
        expect(await bus.discard('posts', postEvent('a').id)).toBe(false);
        expect(await bus.deadLetters()).toMatchObject([{ key: 'b' }]);
        expect(await bus.replay('posts')).toMatchObject({ tried: 1, failed: 1 });
        await bus.stop();
        const after = await fixture.bus([hopeless()], QUICK);
        await drained(after);
        expect(await after.deadLetters()).toMatchObject([{ key: 'b' }]);
      });

      it('removes dead letters after 30 days', async () => {
        const clock = new ManualClock();
        const poisoned = new Recorder('posts', {
          before: () => {
            throw new Error('poison');
          },
        });
        const bus = await fixture.bus([poisoned], QUICK, clock);
        await bus.publish([postEvent('a')]);
        await drained(bus);
        clock.advance(30 * 24 * 60 * 60_000);
        expect(await bus.deadLetters()).toMatchObject([{ key: 'a' }]);
        clock.advance(1);
        // Some buses remove old dead letters only while they run.
        await fixture.bus([], QUICK, clock);
        const isGone = async () => (await bus.deadLetters()).length === 0;
        await until(isGone, { what: 'the removal of the dead letter' });
      });

      it('keeps the number of failed attempts across a restart', async () => {
        const failedTwice = gate('the second failed attempt');
        const first = new Recorder('posts', {
          before: () => {
            if (first.attempts === 2) failedTwice.open();
            throw new Error('poison');
          },
        });
        const before = await fixture.bus([first], { firstMs: 1, longestMs: 1_000_000, attempts: 50 });
        await before.publish([postEvent('a')]);
        await failedTwice.opened;
        await before.stop();
        const second = new Recorder('posts', {
          before: () => {
            throw new Error('poison');
          },
        });
        const after = await fixture.bus([second], { ...QUICK, attempts: 4 });
        await drained(after);
        expect(await after.deadLetters()).toMatchObject([{ attempts: 4 }]);
        expect(first.attempts + second.attempts).toBe(4);
      });
    });

    describe('restarts and new groups', () => {
      it('delivers at the next start events that were published while no process ran', async () => {
        const bus = await fixture.bus([new Recorder('posts')]);
        await bus.stop();
        const elsewhere = await fixture.bus([]);
        await elsewhere.publish([postEvent('a')]);
        const recorder = new Recorder('posts');
        await fixture.bus([recorder]);
        await recorder.received(1);
        expect(recorder.handled).toEqual(['a@1']);
      });

      it('does not deliver handled events again', async () => {
        const first = new Recorder('posts');
        const before = await fixture.bus([first]);
        await before.publish([postEvent('a')]);
        await first.received(1);
        await before.stop();
        const second = new Recorder('posts');
        const after = await fixture.bus([second]);
        await after.publish([postEvent('b')]);
        await second.received(1);
        await drained(after);
        expect(second.handled).toEqual(['b@1']);
      });

      it('delivers retained events to a new group', async () => {
        const before = await fixture.bus([new Recorder('old')]);
        await before.publish([postEvent('a'), postEvent('b')]);
        await drained(before);
        await before.stop();
        const [old, fresh] = [new Recorder('old'), new Recorder('fresh')];
        const after = await fixture.bus([old, fresh]);
        await fresh.received(2);
        await drained(after);
        expect(fresh.handled.toSorted()).toEqual(['a@1', 'b@1']);
        expect(old.handled).toEqual([]);
      });
    });

    describeDeadLetters(() => fixture);

    describeRenamedGroups(() => fixture);

    describeReactions(() => fixture);

    describeRepublication(() => fixture);

    for (const describeMore of more) describeMore(() => fixture);
  });
}
