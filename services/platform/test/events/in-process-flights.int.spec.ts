import { DeliveryStore } from '../../src/events/in-process/delivery-store.js';
import { gate } from '../../testing/gate.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { drained, inProcessHouse } from './in-process-house.js';
import { postEvent, Recorder } from './recorder.js';

const house = inProcessHouse();

describe('events that the in-process bus delivers before it stores them', () => {
  beforeEach(() => house.empty());

  const eventCount = async () =>
    (await house.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM bus_events')).rows[0]!
      .count;

  /** The bus's pool, which tells the name of each statement and does what `asked` does before. */
  const poolThat = (asked: (name: string) => void) =>
    new Proxy(house.pool, {
      get(pool, property) {
        if (property !== 'query') return Reflect.get(pool, property) as unknown;
        return async (query: { name: string }) => {
          asked(query.name);
          return pool.query(query as never);
        };
      },
    });

  it('delivers anew what a failed publication has not handled, when it is published again', async () => {
    let failures = 1;
    const recorder = new Recorder('posts', {
      before: () => {
        if (failures-- > 0) throw new Error('not yet');
      },
    });
    const bus = await house.start([recorder], {
      pool: poolThat((name) => {
        if (name === 'bus-insert') throw new Error('the connection broke');
      }),
    });
    await expect(bus.publish([postEvent('a')])).rejects.toThrow('the connection broke');
    await bus.publish([postEvent('a')]);
    await drained(bus);
    expect(recorder.handled).toEqual(['a@1']);
  });

  it('writes no delivery of an event that all groups handle at once', async () => {
    const statements: string[] = [];
    const counting = poolThat((name) => void statements.push(name));
    const groups = ['a', 'b', 'c'].map((name) => new Recorder(name));
    const bus = await house.start(groups, { pool: counting, patienceMs: 60_000 });
    await bus.publish([postEvent('first')]);
    statements.length = 0;
    for (const id of ['a', 'b', 'c']) await bus.publish([postEvent(id)]);
    await bus.publish([postEvent('a')]);
    expect(groups.map(({ handled }) => handled.length)).toEqual([4, 4, 4]);
    await bus.stop();
    expect(statements).toContain('bus-insert');
    expect(statements).not.toContain('bus-acknowledge');
    expect(await eventCount()).toBe(4);
    expect(await new DeliveryStore(house.pool, new ManualClock()).pending(['a', 'b', 'c'])).toEqual([]);
  });

  it('stores a delivery that takes long, and acknowledges it when it is handled', async () => {
    const held = gate('the handler to be let go');
    const quick = new Recorder('quick');
    const slow = new Recorder('slow', { before: () => held.opened });
    const bus = await house.start([quick, slow], { patienceMs: 1 });
    await bus.publish([postEvent('a')]);
    await quick.received(1);
    const rows = () => house.pool.query<{ grp: string }>('SELECT grp FROM bus_deliveries');
    expect((await rows()).rows).toEqual([{ grp: 'slow' }]);
    held.open();
    await drained(bus);
    expect((await rows()).rows).toEqual([]);
  });
});
