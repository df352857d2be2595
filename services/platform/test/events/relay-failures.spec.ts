import { jest } from '@jest/globals';
import { EventsFailed } from '../../src/events/events-failed.js';
import { EventTooLarge, TopicUnavailable } from '../../src/events/publish-errors.js';
import { SourceRelay } from '../../src/events/outbox/source-relay.js';
import { gate } from '../../testing/gate.js';
import { until } from '../../testing/until.js';
import { NEVER_MS, pass, relayHouse } from './relay-house.js';

type House = ReturnType<typeof relayHouse>;

const MINUTE_MS = 60_000;

describe('entities that fail', () => {
  const stuck = new Error('stuck');
  it.each([
    ['be made', ({ store }: House) => store.unreadable.add('posts/stuck')],
    [
      'be published',
      ({ bus }: House) => (bus.refuses = (entity) => (entity === 'posts/stuck' ? stuck : undefined)),
    ],
    ['be removed', ({ store }: House) => store.irremovable.add('posts/stuck')],
  ])('hold back no others: one cannot %s', async (_what, stick) => {
    const all = relayHouse();
    const { store, bus } = all;
    stick(all);
    const relay = all.relay();
    store.write('posts', 'stuck');
    relay.start();
    await until(() => store.readings.length === 1, { what: 'the first pass' });
    for (let write = 0; write < 100; write += 1) {
      const before = store.readings.length;
      store.write('posts', `w${write}`);
      relay.nudge();
      await until(() => !store.has('posts', `w${write}`), { what: `write ${write} to leave the outbox` });
      // A nudge that comes before the first pass has ended causes one more.
      expect(store.readings.length - before).toBeLessThanOrEqual(write === 0 ? 2 : 1);
      store.time += 400;
    }
    expect(store.has('posts', 'stuck')).toBe(true);
    expect(await all.metric('pulso_outbox_relay_failures_total')).toBe(0);
    // Of 40 s: at once, after 1, 3, 7, 15 and 31 s.
    expect(await all.metric('pulso_outbox_events_failed_total')).toBe(6);
    expect(await all.metric('pulso_outbox_set_aside')).toBe(1);
    const others = bus.published.filter((name) => name !== 'posts/stuck@1');
    expect(others).toEqual(Array.from({ length: 100 }, (_, write) => `posts/w${write}@1`));
  });

  it('are published in their newest state at their time, and are then no longer set aside', async () => {
    const { store, bus, relay, metric, logged } = relayHouse();
    const one = relay();
    bus.refuses = (entity) => (entity === 'posts/a' ? stuck : undefined);
    store.write('posts', 'a', 1);
    await pass(one);
    bus.refuses = () => undefined;
    store.write('posts', 'a', 2);
    store.time += 999;
    await pass(one);
    expect([bus.published, bus.refused]).toEqual([[], ['posts/a@1']]);
    store.time += 1;
    await pass(one);
    expect(bus.published).toEqual(['posts/a@2']);
    expect(store.rows.size).toBe(0);
    expect(await metric('pulso_outbox_set_aside')).toBe(0);
    expect(logged.map(({ msg }) => msg)).toEqual([
      'an event was set aside, will be retried',
      'an event is no longer set aside',
    ]);
  });

  it('are sent again without those that arrived with them', async () => {
    const { store, bus, relay } = relayHouse();
    const one = relay();
    bus.refuses = (entity) => (/k[37]$/.test(entity) ? stuck : undefined);
    store.writeMany('posts', 10);
    await pass(one);
    expect([...store.rows.keys()]).toEqual(['posts/k3', 'posts/k7']);
    bus.refuses = () => undefined;
    store.time += MINUTE_MS;
    await pass(one);
    expect(store.rows.size).toBe(0);
    expect(new Set(bus.counts.values())).toEqual(new Set([1]));
    expect(bus.published.slice(8)).toEqual(['posts/k3@1', 'posts/k7@1']);
  });

  it('are logged as errors at the first attempt and then at growing distances', async () => {
    const { store, bus, relay, logged } = relayHouse();
    const one = relay();
    bus.refuses = () => stuck;
    store.write('posts', 'a');
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await pass(one);
      store.time += 5 * MINUTE_MS;
    }
    expect(bus.refused).toHaveLength(20);
    const errors = logged.filter(({ level }) => level === 50);
    expect(errors.map(({ attempts, topic, key }) => [attempts, topic, key])).toEqual(
      [1, 2, 4, 8, 16].map((attempts) => [attempts, 'posts', 'a']),
    );
  });

  it('wait 5 minutes if they are too large', async () => {
    const { store, bus, relay, logged, metric } = relayHouse();
    const one = relay();
    bus.refuses = (_, { version }) => (version === 1 ? new EventTooLarge('too large') : undefined);
    store.write('posts', 'a');
    await pass(one);
    store.write('posts', 'a', 2);
    store.time += 5 * MINUTE_MS - 1;
    await pass(one);
    expect(bus.published).toEqual([]);
    store.time += 1;
    await pass(one);
    expect(bus.published).toEqual(['posts/a@2']);
    expect(await metric('pulso_outbox_events_failed_total')).toBe(1);
    expect(logged[0]).toMatchObject({ level: 50, topic: 'posts', key: 'a', retryMs: 5 * MINUTE_MS });
  });

  it('are forgotten when they have left the outbox in another way', async () => {
    const { store, bus, relay, metric } = relayHouse();
    const one = relay();
    bus.refuses = () => stuck;
    store.write('posts', 'a');
    await pass(one);
    store.rows.clear();
    await pass(one);
    expect(await metric('pulso_outbox_set_aside')).toBe(1);
    store.time += MINUTE_MS;
    await pass(one);
    expect(await metric('pulso_outbox_set_aside')).toBe(0);
  });

  it('are remembered up to 200 of a topic, which then waits as a whole, beside others at full speed', async () => {
    const { store, bus, relay, metric } = relayHouse();
    const one = relay();
    bus.refuses = (entity) => (entity.startsWith('posts') ? stuck : undefined);
    store.writeMany('posts', 1_000);
    for (let round = 0; round < 20; round += 1) {
      store.write('likes', `l${round}`);
      one.start();
      await until(() => !store.has('likes', `l${round}`), { what: 'the like to leave the outbox' });
      await one.stop();
      store.time += 10_000;
    }
    const set = await metric('pulso_outbox_set_aside');
    expect(set).toBe(200 + 1);
    for (const { entities } of store.readings) expect(entities.length).toBeLessThanOrEqual(200);
    // 800 of them were not remembered: no more than a full reading of them at each of the topic's times.
    expect(bus.refused.length).toBeLessThan(20 * 2 * 200);
    bus.refuses = () => undefined;
    for (let round = 0; store.rows.size > 0 && round < 20; round += 1) {
      store.time += 5 * MINUTE_MS;
      await pass(one);
    }
    expect(store.rows.size).toBe(0);
    expect(new Set(bus.counts.values())).toEqual(new Set([1]));
  });

  it('do not count if the error does not say which ones they are: all of them stay', async () => {
    const { store, relay } = relayHouse();
    const bus = { publish: () => Promise.reject(new EventsFailed('publishing', [])) };
    store.writeMany('posts', 3);
    await expect(relay('replica', { bus }).drain()).rejects.toThrow('publishing: 0 of them failed');
    expect(store.rows.size).toBe(3);
  });
});

describe('a topic that fails', () => {
  it('waits alone, also with more rows than a reading takes, and loses and repeats nothing', async () => {
    const { store, bus, relay, metric } = relayHouse();
    const one = relay();
    const down = new TopicUnavailable(new Error('no leader'));
    bus.refuses = (entity) => (entity.startsWith('posts') ? down : undefined);
    store.writeMany('posts', 450);
    one.start();
    await until(() => bus.refused.length > 0, { what: 'the first attempt' });
    for (let write = 0; write < 50; write += 1) {
      store.write('likes', `l${write}`);
      one.nudge();
      await until(() => !store.has('likes', `l${write}`), { what: `like ${write} to leave the outbox` });
      store.time += 100;
    }
    // Of 5 s: at once, after 1 and 3 s.
    expect(bus.refused).toHaveLength(3 * 200);
    expect(await metric('pulso_outbox_relay_failures_total')).toBe(0);
    expect(await metric('pulso_outbox_set_aside')).toBe(1);
    bus.refuses = () => undefined;
    store.time += 10_000;
    one.nudge();
    await until(() => store.rows.size === 0, { what: 'an empty outbox' });
    expect(bus.published).toHaveLength(500);
    expect(new Set(bus.counts.values())).toEqual(new Set([1]));
    expect(await metric('pulso_outbox_set_aside')).toBe(0);
  });

  it('whose publication hangs delays no other, and has no second publication meanwhile', async () => {
    const { store, bus, relay } = relayHouse({ patienceMs: 1 });
    const one = relay();
    const answers = gate('the answer for posts');
    bus.held.set('posts', answers.opened);
    let begun = 0;
    bus.begins = (topic) => (begun += Number(topic === 'posts'));
    store.writeMany('posts', 250);
    one.start();
    await until(() => begun === 1, { what: 'the publication of posts' });
    for (let write = 0; write < 20; write += 1) {
      store.write('likes', `l${write}`);
      store.write('posts', 'k0', write + 2);
      one.nudge();
      await until(() => !store.has('likes', `l${write}`), { what: `like ${write} to leave the outbox` });
    }
    expect(begun).toBe(1);
    bus.held.clear();
    answers.open();
    await until(() => store.rows.size === 0, { what: 'an empty outbox' });
    const versions = bus.published.filter((name) => name.startsWith('posts/k0@'));
    expect(versions).toEqual(['posts/k0@1', 'posts/k0@21']);
  });

  it('whose publication hangs does not keep a relay from stopping', async () => {
    const { store, bus, relay } = relayHouse({ patienceMs: 1 });
    const one = relay();
    bus.held.set('posts', gate('the answer for posts').opened);
    store.write('posts', 'a');
    await pass(one);
    expect(store.has('posts', 'a')).toBe(true);
  });

  it('is not waited for at all when it is tried again', async () => {
    const { store, bus, relay } = relayHouse({ patienceMs: NEVER_MS });
    const one = relay();
    bus.refuses = (_, { topic }) => (topic === 'posts' ? new TopicUnavailable('no leader') : undefined);
    store.write('posts', 'a');
    await pass(one);
    const answers = gate('the answer for posts');
    bus.held.set('posts', answers.opened);
    let begun = 0;
    bus.begins = (topic) => (begun += Number(topic === 'posts'));
    store.time += 1_000;
    one.start();
    store.write('likes', 'l');
    one.nudge();
    await until(() => begun === 1 && !store.has('likes', 'l'), { what: 'the like to leave the outbox' });
    bus.refuses = () => undefined;
    answers.open();
    await until(() => store.rows.size === 0, { what: 'an empty outbox' });
  });

  it('after it took too long is tried again at its time', async () => {
    const { store, bus, relay } = relayHouse({ patienceMs: 1 });
    const one = relay();
    const answers = gate('the answer for posts');
    bus.held.set('posts', answers.opened);
    store.write('posts', 'a');
    one.start();
    await until(() => store.readings.some(({ topics }) => topics.includes('posts')) || (one.nudge(), false), {
      what: 'a pass without posts',
    });
    bus.away = true;
    answers.open();
    bus.held.clear();
    await one.stop();
    expect(store.has('posts', 'a')).toBe(true);
    bus.away = false;
    store.time += 1_000;
    await pass(one);
    expect(store.rows.size).toBe(0);
  });
});

describe('a store or a bus that is away', () => {
  it('fails the pass, loses nothing, and leaves nothing set aside', async () => {
    const { store, bus, relay, metric } = relayHouse();
    const one = relay();
    store.write('posts', 'a');
    bus.away = true;
    await expect(one.drain()).rejects.toThrow('the bus is away');
    bus.away = false;
    store.away = true;
    await expect(one.drain()).rejects.toThrow('the store is away');
    store.away = false;
    expect(await metric('pulso_outbox_relay_failures_total')).toBe(2);
    expect(await metric('pulso_outbox_set_aside')).toBe(0);
    await one.drain();
    expect(bus.published).toEqual(['posts/a@1']);
  });
});

it('a pass that was given up because the store hung publishes nothing that it read before later passes', async () => {
  const { store, bus, options } = relayHouse();
  const source = store.replica();
  store.write('posts', 'a', 1);
  const old = await source.pending(10);
  const answers = gate('the late answer of the store');
  const pending = jest.spyOn(source, 'pending');
  pending.mockImplementationOnce(() => answers.opened.then(() => old));
  const relay = new SourceRelay(source, options);
  const late = relay.pass();
  store.write('posts', 'a', 2);
  await relay.pass();
  answers.open();
  await expect(late).rejects.toThrow('the store has answered too late');
  expect(bus.published).toEqual(['posts/a@2']);
});

describe('draining', () => {
  it('ends and says what stays, tries that again the next time, and empties the rest', async () => {
    const { store, bus, relay } = relayHouse();
    const one = relay();
    bus.refuses = (entity) => (entity === 'posts/k5' ? new Error('k5 is stuck') : undefined);
    store.writeMany('posts', 450);
    for (let time = 1; time <= 2; time += 1) {
      await expect(one.drain()).rejects.toThrow(
        '1 of them failed, the first one posts k5: Error: k5 is stuck',
      );
      expect([...store.rows.keys()]).toEqual(['posts/k5']);
      expect(bus.refused).toHaveLength(time);
    }
    bus.refuses = () => undefined;
    await one.drain();
    expect(store.rows.size).toBe(0);
  });

  it('ends though all of more than a reading fails', async () => {
    const { store, bus, relay } = relayHouse();
    bus.refuses = () => new Error('stuck');
    store.writeMany('posts', 1_000);
    await expect(relay().drain()).rejects.toThrow(EventsFailed);
    expect(store.rows.size).toBe(1_000);
  });
});
