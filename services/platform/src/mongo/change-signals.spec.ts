import { jest } from '@jest/globals';
import { InProcessSignals } from '../signals/in-process-signals.js';
import type { SignalListener } from '../signals/signals.js';
import { ChangeSignals } from './change-signals.js';

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

/** Notes what a replica is told of a collection. */
function toldOf(replica: ChangeSignals, collection: string): string[] {
  const told: string[] = [];
  replica.listen(collection, {
    changed: () => told.push('changed'),
    lost: () => told.push('lost'),
    resumed: () => told.push('resumed'),
  });
  return told;
}

describe('ChangeSignals', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('tells the other replicas of the service, of this collection alone, and not itself', async () => {
    const signals = new InProcessSignals();
    const [one, other] = [new ChangeSignals(signals, 'posts'), new ChangeSignals(signals, 'posts')];
    const elsewhere = toldOf(new ChangeSignals(signals, 'messaging'), 'users');
    const [own, users, userNames] = [toldOf(one, 'users'), toldOf(other, 'users'), toldOf(other, 'user')];
    one.tell('users');
    await pass(1);
    expect(users).toEqual(['resumed', 'changed']);
    expect([own, userNames, elsewhere]).toEqual([['resumed'], ['resumed'], ['resumed']]);
  });

  it('tells many writes by a signal at once and one for the rest, for each collection by itself', async () => {
    const signals = new InProcessSignals();
    const [one, other] = [new ChangeSignals(signals, 'posts'), new ChangeSignals(signals, 'posts')];
    const [users, prices] = [toldOf(other, 'users'), toldOf(other, 'prices')];
    for (let write = 0; write < 40; write += 1) {
      one.tell('users');
      await pass(1);
    }
    one.tell('prices');
    await pass(1);
    expect([users, prices]).toEqual([
      ['resumed', 'changed'],
      ['resumed', 'changed'],
    ]);
    await pass(1_000);
    expect([users, prices]).toEqual([
      ['resumed', 'changed', 'changed'],
      ['resumed', 'changed'],
    ]);
  });

  it('tells at its end what it has not told yet, and then hears nothing', async () => {
    const signals = new InProcessSignals();
    const [one, other] = [new ChangeSignals(signals, 'posts'), new ChangeSignals(signals, 'posts')];
    const [ended, users] = [toldOf(one, 'users'), toldOf(other, 'users')];
    one.tell('users');
    one.tell('users');
    one.close();
    other.tell('users');
    await pass(1_000);
    expect(users).toEqual(['resumed', 'changed', 'changed']);
    expect(ended).toEqual(['resumed']);
  });

  it('passes on that signals are lost', () => {
    let listener: SignalListener | undefined;
    const signals = {
      send: () => undefined,
      listen: (given: SignalListener) => ((listener = given), () => undefined),
    };
    const told = toldOf(new ChangeSignals(signals, 'posts'), 'users');
    listener!.lost!();
    listener!.resumed!();
    expect(told).toEqual(['lost', 'resumed']);
  });
});
