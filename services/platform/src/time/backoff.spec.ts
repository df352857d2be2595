import { backoffMs } from './backoff.js';

describe('backoffMs', () => {
  it('doubles up to its maximum and stays there', () => {
    const pauses = [1, 2, 3, 4, 5, 2_000].map((failures) =>
      backoffMs(failures, { firstMs: 50, longestMs: 400 }),
    );
    expect(pauses).toEqual([50, 100, 200, 400, 400, 400]);
  });
});
