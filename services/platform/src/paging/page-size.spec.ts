import { pageSize } from './page-size.js';

// Rule: HTTP-5
describe('pageSize', () => {
  it.each([
    [0, 20],
    [1, 1],
    [100, 100],
  ])('of %d is %d', (limit, size) => {
    expect(pageSize(limit)).toBe(size);
  });

  it.each([-1, 101, 1.5, NaN])('refuses %d', (limit) => {
    expect(() => pageSize(limit)).toThrow(expect.objectContaining({ code: 'validation-failed' }));
  });
});
