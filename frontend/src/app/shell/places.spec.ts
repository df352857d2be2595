import { expect, it, jest } from '@jest/globals';
import { placeAt, rememberPlace, storePlaces } from './places.js';

// Rule: UI-52
it('places outlive a reload of the tab, the newest fifty', async () => {
  for (let entry = 1; entry <= 51; entry += 1) rememberPlace(`${entry} /feed`, { y: entry });
  rememberPlace('2 /feed', { y: 2, post: 'p1' });
  rememberPlace('52 /feed', { y: 52 });
  storePlaces();
  jest.resetModules();
  const reloaded = await import('./places.js');
  expect(reloaded.placeAt).not.toBe(placeAt);
  expect(reloaded.placeAt('1 /feed')).toBeUndefined();
  expect(reloaded.placeAt('2 /feed')).toEqual({ y: 2, post: 'p1' });
  expect(reloaded.placeAt('3 /feed')).toBeUndefined();
  expect(reloaded.placeAt('52 /feed')).toEqual({ y: 52 });
});
