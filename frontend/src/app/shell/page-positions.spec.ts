import { expect, it, jest } from '@jest/globals';
import { positionAt, rememberPosition, storePositions } from './page-positions.js';

// Rule: UI-52
it('positions outlive a reload of the tab, the newest fifty', async () => {
  for (let entry = 1; entry <= 51; entry += 1) rememberPosition(`${entry} /feed`, { y: entry });
  rememberPosition('2 /feed', { y: 2, post: 'p1' });
  rememberPosition('52 /feed', { y: 52 });
  storePositions();
  jest.resetModules();
  const reloaded = await import('./page-positions.js');
  expect(reloaded.positionAt).not.toBe(positionAt);
  expect(reloaded.positionAt('1 /feed')).toBeUndefined();
  expect(reloaded.positionAt('2 /feed')).toEqual({ y: 2, post: 'p1' });
  expect(reloaded.positionAt('3 /feed')).toBeUndefined();
  expect(reloaded.positionAt('52 /feed')).toEqual({ y: 52 });
});
