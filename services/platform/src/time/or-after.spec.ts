import { gate } from '../../testing/gate.js';
import { orAfter } from './or-after.js';

describe('waiting for work, but no longer than a time', () => {
  it('says whether the work has ended', async () => {
    expect(await orAfter(60_000, Promise.resolve('done'))).toBe(true);
    expect(await orAfter(1, new Promise(() => undefined))).toBe(false);
  });

  it('rejects as the work does in time, and leaves a later failure to its caller', async () => {
    await expect(orAfter(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const late = gate('the end of the work');
    const work = late.opened.then(() => Promise.reject(new Error('too late')));
    expect(await orAfter(1, work)).toBe(false);
    late.open();
    await expect(work).rejects.toThrow('too late');
  });
});
