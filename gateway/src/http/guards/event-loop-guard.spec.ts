import { jest } from '@jest/globals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { EventLoopGuard } from './event-loop-guard.js';

const MAX_DELAY_MS = 200;

function startGuard(maxDelayMs = MAX_DELAY_MS): EventLoopGuard {
  const guard = new EventLoopGuard(maxDelayMs);
  onTestEnd(() => guard.close());
  guard.start();
  return guard;
}

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** A guard whose samples come as late as the test says, in milliseconds. */
function startGuardByHand(maxDelayMs = MAX_DELAY_MS) {
  let now = 0;
  let sample: () => void = () => undefined;
  const mocks = [
    jest.spyOn(performance, 'now').mockImplementation(() => now),
    jest.spyOn(globalThis, 'setInterval').mockImplementation(((callback: () => void, everyMs: number) => {
      sample = () => {
        now += everyMs;
        callback();
      };
      return { unref: () => undefined };
    }) as never),
    jest.spyOn(globalThis, 'clearInterval').mockImplementation(() => undefined),
  ];
  // Restored after the guard is closed: the last given runs first.
  onTestEnd(() => mocks.forEach((mock) => mock.mockRestore()));
  const guard = startGuard(maxDelayMs);
  const late = (milliseconds: number) => {
    now += milliseconds;
    sample();
    return guard.overloaded;
  };
  const later = (milliseconds: number) => {
    now += milliseconds;
  };
  return { guard, late, later };
}

// Rule: LIMIT-5
describe('EventLoopGuard', () => {
  it('finds the loop overloaded when it stays blocked, and not after', async () => {
    const guard = startGuard();
    expect(guard.overloaded).toBe(false);
    const overloadedWhileBlocked = () => {
      block(2 * MAX_DELAY_MS);
      return guard.overloaded;
    };
    await until(overloadedWhileBlocked, { what: 'overload of a loop that stays blocked' });
    await until(() => !guard.overloaded, { what: 'the end of the overload, the loop being free' });
  });

  // Rule: LIMIT-16
  it('finds it strained long before that, by two late samples in a row, until one is in time', () => {
    const { guard, late } = startGuardByHand();
    const strained = [51, 50, 51, 51, 50].map((milliseconds) => [late(milliseconds), guard.strained]);
    expect(strained).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [false, true],
      [false, false],
    ]);
  });

  // Rule: LIMIT-16
  it('finds it strained by no single task, however long, and never where no delay counts', () => {
    const { guard, late } = startGuardByHand();
    expect([late(10_000), guard.strained, late(0), guard.strained]).toEqual([false, false, false, false]);
    const patient = startGuardByHand(0);
    expect([patient.late(10_000), patient.late(10_000)]).toEqual([false, false]);
    expect(patient.guard.strained).toBe(false);
  });

  it('takes one long task for no overload, two in a row for one, until a sample is in time', () => {
    const { guard, late } = startGuardByHand();
    expect([late(900), guard.delay]).toEqual([false, 900]);
    expect([late(0), guard.delay]).toEqual([false, 0]);
    expect(late(MAX_DELAY_MS + 1)).toBe(false);
    expect(late(MAX_DELAY_MS + 1)).toBe(true);
    expect(late(MAX_DELAY_MS)).toBe(false);
    expect(late(MAX_DELAY_MS)).toBe(false);
  });

  describe('where requests are answered within their turn', () => {
    const CROWD = 200;
    /** One turn with a crowd of which each takes a millisecond; returns how many were served. */
    const turn = async ({ guard, later }: ReturnType<typeof startGuardByHand>, crowd = CROWD) => {
      let served = 0;
      for (let request = 0; request < crowd; request += 1) {
        if (!guard.admit()) continue;
        served += 1;
        later(1);
      }
      await new Promise((resolve) => setImmediate(resolve));
      return served;
    };

    it('serves a crowd that comes once, and of each that follows what a quarter of the delay is enough for', async () => {
      const byHand = startGuardByHand();
      const served = [await turn(byHand), await turn(byHand), await turn(byHand)];
      expect(served).toEqual([CROWD, 51, 51]);
      // Nobody has come for a while.
      byHand.later(100);
      expect(await turn(byHand)).toBe(CROWD);
    });

    it('refuses nobody where few come at once, and with a limit of 0 nobody at all', async () => {
      const few = startGuardByHand();
      const slowly = async () => {
        few.later(900);
        return turn(few, 32);
      };
      expect([await slowly(), await slowly(), await slowly()]).toEqual([32, 32, 32]);
      const patient = startGuardByHand(0);
      expect([await turn(patient), await turn(patient)]).toEqual([CROWD, CROWD]);
    });
  });

  it('with a limit of 0 finds no overload, and still tells the delay', () => {
    const { guard, late } = startGuardByHand(0);
    expect([late(900), late(900), late(900), guard.delay]).toEqual([false, false, false, 900]);
  });
});
