import fc from 'fast-check';
import { EventTooLarge, TopicUnavailable } from '../../src/events/publish-errors.js';
import { PROPERTY_LIMIT, propertyRuns } from '../../testing/property-limit.js';
import { pass, relayHouse } from './relay-house.js';

const SEED = Number(process.env['TEST_SEED'] ?? 11);
const TOPICS = ['posts', 'likes'];
const KEYS = ['a', 'b', 'c'];
const DAY_MS = 86_400_000;

const error = { stuck: new Error('stuck'), large: new EventTooLarge('x'), down: new TopicUnavailable('x') };

const entity = fc.tuple(fc.constantFrom(...TOPICS), fc.constantFrom(...KEYS));
const named = entity.map((parts) => parts.join('/'));
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('write' as const), entity }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('pass' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.integer({ max: 20_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom<'refuse' | 'unread' | 'keep'>('refuse', 'unread', 'keep'),
      name: named,
      why: fc.constantFrom('stuck' as const, 'large' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('topic' as const), topic: fc.constantFrom(...TOPICS) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom<'bus' | 'store'>('bus', 'store') }) },
);

/** Changes to the opposite. */
function toggle<T>(values: Set<T>, value: T): void {
  if (!values.delete(value)) values.add(value);
}

it('publishes every newest state in the end, and none after a newer one, whatever fails', async () => {
  const holds = async (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
    // With a pause a loop that failed ignores nudges after its next start.
    const { store, bus, relay, metric } = relayHouse({ pollMs: 0 });
    const one = relay();
    const newest = new Map<string, number>();
    const refused = new Map<string, Error>();
    const down = new Set<string>();
    bus.refuses = (name, { topic }) => (down.has(topic) ? error.down : refused.get(name));
    for (const each of steps) {
      if (each.does === 'pass') await pass(one);
      else if (each.does === 'wait') store.time += Math.max(0, each.ms);
      else if (each.does === 'topic') toggle(down, each.topic);
      else if (each.does === 'bus') bus.away = !bus.away;
      else if (each.does === 'store') store.away = !store.away;
      else if (each.does === 'unread') toggle(store.unreadable, each.name);
      else if (each.does === 'keep') toggle(store.irremovable, each.name);
      else if (each.does === 'refuse') {
        if (!refused.delete(each.name)) refused.set(each.name, error[each.why]);
      } else if (each.does === 'write') {
        const [topic, key] = each.entity;
        const version = (newest.get(`${topic}/${key}`) ?? 0) + 1;
        newest.set(`${topic}/${key}`, version);
        store.write(topic, key, version);
      }
    }
    for (const failing of [refused, down, store.unreadable, store.irremovable]) failing.clear();
    bus.away = store.away = false;
    store.time += DAY_MS;
    await pass(one);
    await pass(one);
    expect([...store.rows.keys()]).toEqual([]);
    expect(await metric('pulso_outbox_set_aside')).toBe(0);
    const last = new Map<string, number>();
    for (const name of bus.published) {
      const [of, version] = name.split('@') as [string, string];
      expect(Number(version)).toBeGreaterThanOrEqual(last.get(of) ?? 0);
      last.set(of, Number(version));
    }
    expect(last).toEqual(newest);
  };
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), holds);
  await fc.assert(property, { ...PROPERTY_LIMIT, numRuns: propertyRuns(200), seed: SEED });
});
