import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { comeBack } from '../../test/come-back.js';
import { leaveFor } from './leave-for.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  history.replaceState(null, '', '/');
});

async function isOver(leaving: Promise<void>): Promise<boolean> {
  let over = false;
  void leaving.then(() => (over = true));
  await jest.advanceTimersByTimeAsync(0);
  return over;
}

it('goes there, and is over when the page is there again', async () => {
  const leaving = leaveFor('#elsewhere');
  expect(location.hash).toBe('#elsewhere');
  expect(await isOver(leaving)).toBe(false);
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(await isOver(leaving)).toBe(false);
  comeBack();
  expect(await isOver(leaving)).toBe(true);
});

it('is over where the page was not left', async () => {
  const leaving = leaveFor('#elsewhere');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await isOver(leaving)).toBe(true);
});
