import { CLAIM_MS } from '../../src/events/outbox/outbox-source.js';
import { gate } from '../../testing/gate.js';
import { until } from '../../testing/until.js';
import { NEVER_MS, pass, relayHouse } from './relay-house.js';

/** Lets everything go on that does not wait for something outside. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a backlog', () => {
  it('is published once though two replicas drain it', async () => {
    const { store, bus, relay } = relayHouse({ pollMs: 1 });
    store.writeMany('posts', 1_000);
    const [one, two] = [relay('one'), relay('two')];
    await Promise.all([one.drain(), two.drain()]);
    expect(store.rows.size).toBe(0);
    expect(bus.published).toHaveLength(1_000);
    expect(bus.counts.size).toBe(1_000);
    expect(store.holder).toBeUndefined();
  });

  it('is left to another replica until the next poll, whatever nudges', async () => {
    const { store, bus, relay } = relayHouse();
    store.claim('other');
    store.writeMany('posts', 200);
    let asked = 0;
    store.beforeClaim = () => (asked += 1);
    const one = relay();
    one.start();
    await until(() => asked === 1, { what: 'the first pass' });
    await turn();
    for (let write = 0; write < 10; write += 1) {
      one.nudge();
      await turn();
    }
    await one.stop();
    expect(store.readings).toHaveLength(1);
    expect(bus.published).toEqual([]);
    store.time += NEVER_MS;
    await pass(one);
    expect(store.rows.size).toBe(0);
  });

  it('of less than a batch is published without the claim', async () => {
    const { store, bus, relay } = relayHouse();
    store.claim('other');
    store.writeMany('posts', 199);
    await pass(relay());
    expect(bus.published).toHaveLength(199);
    expect(store.holder).toBe('other');
  });

  it('is taken over from a replica that has died', async () => {
    const { store, bus, relay } = relayHouse({ pollMs: 1 });
    store.claim('dead');
    store.writeMany('posts', 450);
    const one = relay();
    one.start();
    await until(() => store.readings.length > 3, { what: 'some passes without the claim' });
    expect(bus.published).toEqual([]);
    store.time += CLAIM_MS;
    await until(() => store.rows.size === 0, { what: 'an empty outbox' });
    expect(bus.counts.size).toBe(450);
  });

  it('that a living replica keeps ends a drain after a minute', async () => {
    const { store, relay } = relayHouse({ pollMs: 1 });
    store.writeMany('posts', 200);
    store.beforeClaim = () => {
      store.time += 10_000;
      store.holder = 'other';
      store.claimedUntil = Infinity;
    };
    await expect(relay().drain()).rejects.toThrow('another replica has not drained the outbox');
    expect(store.rows.size).toBe(200);
  });

  it('is read again by who gets the claim, because the replica before has published some of it', async () => {
    const { store, bus, relay } = relayHouse();
    store.writeMany('posts', 250);
    const oldest = [...store.rows.keys()].slice(0, 200);
    store.beforeClaim = () => oldest.forEach((row) => store.rows.delete(row));
    await pass(relay());
    expect(bus.published).toHaveLength(50);
    expect(store.rows.size).toBe(0);
  });

  it('is given back when it is drained and when the relay stops', async () => {
    const { store, bus, relay } = relayHouse();
    const one = relay();
    store.writeMany('posts', 201);
    const held: unknown[] = [];
    bus.begins = () => held.push(store.holder);
    one.start();
    await until(() => store.rows.size === 0, { what: 'an empty outbox' });
    await until(() => store.holder === undefined, { what: 'the end of the claim' });
    expect(held).toEqual(['replica', 'replica']);
    const answers = gate('the answer');
    bus.held.set('posts', answers.opened);
    store.writeMany('posts', 200);
    one.nudge();
    await until(() => held.length === 3, { what: 'the publication' });
    const stopped = one.stop();
    answers.open();
    await stopped;
    expect(held.at(-1)).toBe('replica');
    expect(store.holder).toBeUndefined();
  });
});
