import { connectionsInAll } from './open-files.js';

describe('connections', () => {
  const warnings: unknown[] = [];
  const logger = { warn: (about: unknown) => void warnings.push(about) };

  // Rule: LIMIT-12
  it.each([
    [10_000, 20_000, 10_000],
    [10_000, 1_024, 512],
    [10_000, undefined, 10_000],
  ])('leave half of the files: %s wanted of %s are %s', (wanted, files, most) => {
    warnings.length = 0;
    // Undefined would be this process's own limit.
    const given = files ?? Infinity;
    expect(connectionsInAll(wanted, logger as never, given)).toBe(most);
    expect(warnings).toHaveLength(most < wanted ? 1 : 0);
  });
});
