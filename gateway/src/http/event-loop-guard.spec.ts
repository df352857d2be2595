import { EventLoopGuard } from './event-loop-guard.js';

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

// Rule: LIMIT-5
describe('EventLoopGuard', () => {
  it('finds the loop overloaded when it stays blocked, and not after', async () => {
    const guard = new EventLoopGuard();
    guard.start();
    expect(guard.overloaded).toBe(false);
    for (let round = 0; round < 20 && !guard.overloaded; round += 1) {
      block(400);
      await turn();
    }
    expect([guard.overloaded, guard.delay > 200]).toEqual([true, true]);
    while (guard.overloaded) await turn();
    guard.close();
  });

  it('takes one long task for no overload', async () => {
    const guard = new EventLoopGuard();
    guard.start();
    block(900);
    // One sample is late; the next comes in time.
    while (guard.delay === 0) await turn();
    expect(guard.overloaded).toBe(false);
    guard.close();
  });
});
