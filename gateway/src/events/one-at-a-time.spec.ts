import { OneAtATime } from './one-at-a-time.js';

/** Promises that a test resolves, the oldest first. */
class Waits {
  private readonly open: (() => void)[] = [];
  begun = 0;

  begin = (): Promise<void> => {
    this.begun += 1;
    return new Promise((resolve) => void this.open.push(resolve));
  };

  async end(): Promise<void> {
    this.open.shift()!();
    // Everything that follows from it has run then.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

// Rule: NOTIF-13
describe('work that is asked for again and again', () => {
  let work: Waits;
  let pause: Waits;
  let paced: OneAtATime;
  beforeEach(() => {
    [work, pause] = [new Waits(), new Waits()];
    paced = new OneAtATime(work.begin, pause.begin);
  });
  const ask = (times: number) => {
    for (let time = 0; time < times; time += 1) paced.ask();
  };

  it('begins at once, and once more after the pause, however often it was asked for meanwhile', async () => {
    ask(20);
    await work.end();
    ask(20);
    expect(work.begun).toBe(1);
    await pause.end();
    expect(work.begun).toBe(2);
    // Asked for while it runs, when it may have looked already.
    ask(20);
    await pause.end();
    expect(work.begun).toBe(2);
    await work.end();
    expect(work.begun).toBe(3);
  });

  it('rests when nobody has asked, and then begins at once again', async () => {
    ask(1);
    await work.end();
    await pause.end();
    expect(work.begun).toBe(1);
    ask(1);
    expect([work.begun, pause.begun]).toEqual([2, 2]);
  });
});
