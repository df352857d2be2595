import { jest } from '@jest/globals';
import { relayHouse } from './relay-house.js';

const TOPICS = ['posts', 'likes', 'comments'];
const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

describe('a relay that a commit nudges', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const aHouse = async () => {
    const { store, bus, relay } = relayHouse({ pollMs: undefined, now: () => performance.now() });
    const one = relay('one', { sources: [{ ...store.replica('one'), topics: TOPICS }] });
    one.start();
    await pass(1);
    return { store, bus, one };
  };

  it('reads the topic of the commit alone', async () => {
    const { store, bus, one } = await aHouse();
    store.write('posts', 'a');
    one.nudge('posts');
    await pass(1);
    expect(bus.published).toEqual(['posts/a@1']);
    expect(store.readings.map(({ topics }) => topics)).toEqual([[], ['likes', 'comments']]);
    await one.stop();
  });

  it('finds what another replica has left within 5 s, also while nudges come all the time', async () => {
    const { store, bus, one } = await aHouse();
    store.write('likes', 'left');
    for (let waited = 0; waited <= 5_000; waited += 100) {
      one.nudge('posts');
      await pass(100);
    }
    expect(bus.published).toEqual(['likes/left@1']);
    await one.stop();
  });

  it('reads all topics to try again what has failed', async () => {
    const { store, bus, one } = await aHouse();
    bus.refuses = () => new Error('stuck');
    store.write('posts', 'stuck');
    one.nudge('posts');
    await pass(1);
    store.write('likes', 'b');
    one.nudge('likes');
    await pass(1);
    expect(store.readings.at(-1)!.topics).toEqual([]);
    await one.stop();
  });
});
