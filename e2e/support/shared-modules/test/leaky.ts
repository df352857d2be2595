import { appendFileSync } from 'node:fs';
import { it, jest } from '@jest/globals';
import { countedFiles } from '../counter.js';

const realTimeout = setTimeout;
const realRandom = Math.random;

/** Tests of a file that looks for what another one has left behind, and leaves all of it behind itself. */
export function leaky(): void {
  it('finds nothing that another file has left', () => {
    const found = {
      global: 'leftBehind' in globalThis,
      variable: process.env.LEFT_BEHIND,
      random: Math.random() === 0.5,
      mocked: jest.isMockFunction(Math.random),
      clock: Date.now() < 1_000,
      timeout: setTimeout.name,
    };
    appendFileSync(process.env.FOUND!, `${JSON.stringify({ ...found, files: countedFiles() })}\n`);
  });

  // With the limit of 7 ms that another file has set it fails.
  it('has time', async () => new Promise((resolve) => void realTimeout(resolve, 50)));

  it('leaves everything behind', () => {
    Object.assign(globalThis, { leftBehind: true });
    process.env.LEFT_BEHIND = 'yes';
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    Math.random = Object.assign(() => 0.5, { realRandom });
    jest.useFakeTimers({ now: 0 });
    globalThis.setTimeout = function leftBehind() {} as unknown as typeof setTimeout;
    jest.setTimeout(7);
  });
}
