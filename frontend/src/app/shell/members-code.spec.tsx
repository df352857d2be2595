import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { clearFeedback, getFeedback } from '../../components/feedback/feedback-store.js';

let away: boolean;
const load = jest.fn(() => {
  if (away) throw new TypeError('Failed to fetch dynamically imported module');
  return { KeptUpToDate: () => null };
});
jest.unstable_mockModule('./members.js', load);
// After the mock: it imports the module that is replaced.
const { useMembersCode } = await import('./members-code.js');

function Shell({ wanted }: { wanted: boolean }) {
  return <output>{useMembersCode(wanted) ? 'there' : 'away'}</output>;
}

beforeEach(() => {
  away = true;
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  clearFeedback();
  jest.useRealTimers();
});

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const told = () => getFeedback().toasts.map(({ type, message }) => `${type}: ${message}`);

describe('the code of the shell’s parts for members', () => {
  it('is not loaded for visitors', async () => {
    render(<Shell wanted={false} />);
    await pass(60_000);
    expect(load).not.toHaveBeenCalled();
    expect(told()).toEqual([]);
  });

  // Rule: UI-42
  it('is loaded again after a failure, which is told once and until it is there', async () => {
    render(<Shell wanted />);
    await pass(0);
    expect(told()).toEqual(['error: This did not load.']);
    act(clearFeedback);
    await pass(30_000);
    expect(load).toHaveBeenCalledTimes(2);
    expect(told()).toEqual([]);
    cleanup();

    render(<Shell wanted />);
    await pass(0);
    expect(told()).toEqual(['error: This did not load.']);
    away = false;
    await act(async () => void window.dispatchEvent(new Event('online')));
    await pass(0);
    expect(screen.getByRole('status').textContent).toBe('there');
    expect(told()).toEqual([]);
  });
});
