import { gate } from '../../testing/gate.js';
import { until } from '../../testing/until.js';
import { within } from './within.js';

describe('work within a limit', () => {
  const NEVER_MS = 1_000_000;
  const late: unknown[] = [];
  beforeEach(() => void late.splice(0));
  const limited = <T>(ms: number, work: () => Promise<T>) =>
    within(ms, 'the work', work, (error) => late.push(error));

  it('gives what the work gives', async () => {
    await expect(limited(NEVER_MS, async () => 'done')).resolves.toBe('done');
    await expect(limited(NEVER_MS, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(late).toEqual([]);
  });

  it('ends as a deadline that was missed, and still hears of a later failure', async () => {
    const slow = gate('the work to be let go');
    const working = limited(1, async () => {
      await slow.opened;
      throw new Error('too late');
    });
    await expect(working).rejects.toMatchObject({
      kind: 'deadline-exceeded',
      message: 'the work took longer than 1 ms',
    });
    slow.open();
    await until(() => late.length > 0, { what: 'the late failure' });
    expect(late).toEqual([new Error('too late')]);
  });
});
