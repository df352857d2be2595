const MINUTE_MS = 60_000;

/**
 * The steps of CI, in their order; `args` of npm.
 *
 * @type {readonly { name: string, args: string[], limitMs: number }[]}
 */
export const STEPS = [
  { name: 'npm test', args: ['test', '--silent'], limitMs: 30 * MINUTE_MS },
  {
    name: 'npm run check:kubernetes',
    args: ['run', 'check:kubernetes', '--silent'],
    limitMs: 5 * MINUTE_MS,
  },
  {
    name: 'npm run test:engines',
    args: ['run', 'test:engines', '--silent', '--', '--native', '--crash'],
    limitMs: 40 * MINUTE_MS,
  },
  { name: 'npm run e2e', args: ['run', 'e2e', '--silent'], limitMs: 30 * MINUTE_MS },
];
