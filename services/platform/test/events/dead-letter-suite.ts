import { drainEvents } from '../../src/events/outbox/drain-events.js';
import type { EventBus, OperableBus } from '../../src/events/event-bus.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { until } from '../../testing/until.js';
import { type BusFixture, QUICK } from './bus-fixture.js';
import { postEvent, Recorder } from './recorder.js';

/** The part of the bus suite on replays of dead letters. */
export function describeDeadLetters(fixture: () => BusFixture): void {
  const drained = (bus: EventBus) => drainEvents({ relays: [], bus, timeoutMs: 100_000 });

  describe('a replay', () => {
    it('replays the dead letters of all groups, or those of one event, and names the groups that failed again', async () => {
      const poison = () => {
        throw new Error('cannot digest this');
      };
      const [first, second] = [
        new Recorder('first', { before: poison }),
        new Recorder('second', { before: poison }),
      ];
      const bus = await fixture().bus([first, second], QUICK);
      await bus.publish([postEvent('a'), postEvent('b')]);
      await drained(bus);
      expect(await bus.deadLetters(undefined, postEvent('a').id)).toMatchObject([{ key: 'a' }, { key: 'a' }]);
      const one = await bus.replay(undefined, postEvent('a').id);
      expect(one).toMatchObject({ tried: 2, failed: 2 });
      expect(new Set(one.named.map(({ group, key }) => `${group} ${key}`))).toEqual(
        new Set(['first a', 'second a']),
      );
      expect(await bus.replay()).toMatchObject({ tried: 4, failed: 4 });
      expect(await bus.replay('second')).toMatchObject({ tried: 2, failed: 2 });
    });

    it('gives a dead letter whose replay fails the new error, and leaves it its age', async () => {
      const clock = new ManualClock();
      let reason = 'the first reason';
      const recorder = new Recorder('posts', {
        before: () => {
          throw new Error(reason);
        },
      });
      const bus = await fixture().bus([recorder], QUICK, clock);
      await bus.publish([postEvent('a')]);
      await drained(bus);
      const [letter] = await bus.deadLetters();
      clock.advance(29 * 24 * 60 * 60_000);
      reason = 'another reason';
      const failedAgain = { ...letter, error: expect.stringContaining('another reason') as string };
      const { group, eventId, failedAt, error } = failedAgain;
      const named = [{ group, eventId, failedAt, error }];
      expect(await bus.replay('posts')).toMatchObject({ tried: 1, failed: 1, named });
      expect(await bus.deadLetters()).toEqual([failedAgain]);
      clock.advance(24 * 60 * 60_000 + 1);
      // Some buses remove old dead letters only while they run.
      const running = await fixture().bus([], QUICK, clock);
      const isGone = async () => (await bus.deadLetters()).length === 0;
      await until(isGone, { what: 'the removal of the old dead letter', limit: 100_000 });
      await running.stop();
    });

    it.each<[string, (bus: OperableBus) => Promise<unknown>]>([
      ['discarded', (other) => other.discard('posts', postEvent('b').id)],
      ['replayed', (other) => other.replay('posts', postEvent('b').id)],
    ])('does not deliver again what another process has %s before its turn', async (_what, settle) => {
      let broken = true;
      const poison = () => {
        if (broken) throw new Error('poison');
      };
      const elsewhere = new Recorder('posts', { before: poison });
      const other = await fixture().bus([elsewhere], QUICK);
      await other.publish([postEvent('a'), postEvent('b'), postEvent('c')]);
      await drained(other);
      const recorder = new Recorder('posts', {
        before: async ({ id }) => {
          if (id === 'a') await settle(other);
        },
      });
      const bus = await fixture().bus([recorder], QUICK);
      broken = false;
      expect(await bus.replay('posts')).toEqual({ tried: 2, failed: 0, named: [] });
      expect(recorder.handled).toEqual(['a@1', 'c@1']);
      expect(await bus.deadLetters()).toEqual([]);
    });
  });
}
