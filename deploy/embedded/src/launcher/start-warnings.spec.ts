import { startWarnings } from './start-warnings.js';

// Rule: DEMO-1
it.each([
  [true, true, [expect.stringMatching(/^PULSO_DATA_DIR: it holds the demo/)]],
  [true, false, []],
  [false, true, []],
])('production %s with the demo %s is warned of: %j', (isProduction, seeded, warnings) => {
  expect(startWarnings({ isProduction }, { seeded })).toEqual(warnings);
});
