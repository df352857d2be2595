import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aVideo } from '../../../../test/a-video.js';
import { aPageAround } from '../../../../test/render.js';
import { emitLive } from '../../../server/live/live-events.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { StorageUsage } from './storage-usage.js';

const STORAGE = 'GET /api/storage';
const QUOTA = 524_288_000;
const FULL = 'You have reached your storage limit. Delete old videos to free up space.';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(cleanup);

function show(bytesUsed: number) {
  gateway.on(STORAGE, () => ({ quotaBytes: QUOTA, bytesUsed }));
  const { queryClient, wrapper } = aPageAround();
  render(<StorageUsage />, { wrapper });
  return queryClient;
}
const meter = () => screen.findByRole('meter', { name: 'Storage' });

// Rule: MEDIA-15
describe('the storage bar', () => {
  it.each([
    [0, '0 MB of 500 MB used (0%)', '0', false],
    [13_002_342, '12.4 MB of 500 MB used (2.4%)', '2.4', false],
    [QUOTA - 1, '500 MB of 500 MB used (99.9%)', '99.9', false],
    [QUOTA, '500 MB of 500 MB used (100%)', '100', true],
    [QUOTA * 2, '1,000 MB of 500 MB used (100%)', '100', true],
  ])('of %i bytes says "%s"', async (bytesUsed, text, now, isFull) => {
    show(bytesUsed);
    const bar = await meter();
    expect(bar.getAttribute('aria-valuenow')).toBe(now);
    expect(bar.getAttribute('aria-valuetext')).toBe(text);
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryAllByText(FULL)).toHaveLength(isFull ? 1 : 0);
  });

  it('is read again when an upload has changed it', async () => {
    const queryClient = show(0);
    await meter();
    gateway.on(STORAGE, () => ({ quotaBytes: QUOTA, bytesUsed: QUOTA }));
    act(() => void queryClient.invalidateQueries({ queryKey: queryKeys.storage }));
    expect(await screen.findByText(FULL)).toBeTruthy();
  });

  // Rule: MEDIA-13
  it('is read again when a video has failed, which frees its bytes', async () => {
    show(QUOTA);
    expect(await screen.findByText(FULL)).toBeTruthy();
    gateway.on(STORAGE, () => ({ quotaBytes: QUOTA, bytesUsed: 0 }));
    const media = aVideo({ status: 'failed', problem: 'Failed to load video metadata' });
    act(() => emitLive({ type: 'post-media', data: { postId: null, media } }));
    await screen.findByText('0 MB of 500 MB used (0%)');
    expect(screen.queryByText(FULL)).toBeNull();
  });

  it.each([
    [
      'is not known',
      () => ({ quotaBytes: QUOTA, bytesUsed: null }),
      'How much you use is not known right now.',
    ],
    ['does not load', () => problem(500, 'internal'), 'This did not load.'],
  ])('that %s says so, and is tried again by a press', async (_what, answer, text) => {
    gateway.on(STORAGE, answer);
    render(<StorageUsage />, { wrapper: aPageAround().wrapper });
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    expect(screen.queryByRole('meter')).toBeNull();
    gateway.on(STORAGE, () => ({ quotaBytes: QUOTA, bytesUsed: 0 }));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.getByRole('meter')).toBeTruthy());
  });
});
