import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Archive } from '../../../api/types.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { ArchiveSetting } from './archive-setting.js';

const NONE: Archive = {
  ...{ status: 'none', doneBytes: null, totalBytes: null, documentBytes: null, requestedAt: null },
  ...{ readyAt: null, expiresAt: null, url: null },
};
const MB = 1024 ** 2;
const REQUESTED = { requestedAt: '2026-11-28T12:00:00.000Z' };
const BUILDING: Archive = { ...NONE, ...REQUESTED, status: 'building', doneBytes: 0, totalBytes: 48 * MB };
const READY: Archive = {
  ...{ ...BUILDING, status: 'ready', doneBytes: 48 * MB, readyAt: '2026-11-28T12:00:09.000Z' },
  ...{ expiresAt: '2026-12-05T12:00:09.000Z', url: '/media/a1/archive?s=mac', documentBytes: 200 * MB },
};

let gateway: FakeGateway;
let archive: Archive;
beforeEach(() => {
  archive = NONE;
  gateway = fakeGateway();
  gateway.on('GET /api/me/archive', () => archive);
  gateway.on('DELETE /api/me/archive', () => {
    archive = NONE;
    return new Response(null, { status: 204 });
  });
});
afterEach(() => {
  act(clearFeedback);
  cleanup();
  jest.useRealTimers();
});

async function show(now: Archive, button: string) {
  archive = now;
  render(<ArchiveSetting />, { wrapper: aPageAround().wrapper });
  await screen.findByRole(button === 'Download archive' ? 'link' : 'button', { name: button });
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const toasts = () => getFeedback().toasts.map(({ message }) => message);
const told = (message: string) => waitFor(() => expect(toasts()).toEqual([message]));

// Rule: UI-77, ACCT-45
describe('the archive', () => {
  it('is prepared, watched, and downloaded', async () => {
    gateway.on('POST /api/me/archive', () => {
      archive = { ...BUILDING, doneBytes: 12 * MB };
      return Response.json(BUILDING, { status: 202 });
    });
    await show(NONE, 'Prepare archive');
    // Nothing takes the focus of who reads the page.
    expect(document.activeElement).toBe(document.body);
    const status = screen.getByRole('status');
    expect(status.textContent).toBe('');
    await press('Prepare archive');
    const bar = await screen.findByRole('progressbar', { name: 'Progress of the archive' });
    expect(bar.getAttribute('aria-valuetext')).toBe('0 MB of 48 MB');
    // The same element: only then screen readers say it.
    expect(status.textContent).toBe('Your archive is being prepared. You can leave this page meanwhile.');
    // It looks again by itself.
    await waitFor(() => expect(bar.getAttribute('aria-valuetext')).toBe('12 MB of 48 MB'));
    expect(bar.getAttribute('aria-valuenow')).toBe('25');
    archive = READY;
    const link = await screen.findByRole('link', { name: 'Download archive' });
    expect(link.getAttribute('href')).toBe('/media/a1/archive?s=mac');
    expect(status.textContent).toBe('Your archive of Nov 28, 2026 is ready: 48 MB.');
    expect(screen.getByText(/^It is kept until Sat, Dec 5, 2026/)).toBeTruthy();
  });

  it('says that it cannot be imported where its document is too large for that', async () => {
    await show({ ...READY, documentBytes: 250 * MB }, 'Download archive');
    expect(
      screen.getByText(
        'Its pulso-export.json has 250 MB. An import takes at most 200 MB, so this archive cannot be imported. You can keep and read it.',
      ),
    ).toBeTruthy();
    cleanup();
    await show(READY, 'Download archive');
    expect(screen.queryByText(/cannot be imported/)).toBeNull();
  });

  it('is given up while it is built', async () => {
    await show(BUILDING, 'Cancel');
    await press('Cancel');
    await told('Canceled. No archive was prepared.');
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Prepare archive' }));
  });

  it('is deleted after a question', async () => {
    await show(READY, 'Download archive');
    await press('Delete archive');
    act(() => getFeedback().question!.answer(false));
    expect(gateway.calls).not.toContain('DELETE /api/me/archive');
    await press('Delete archive');
    act(() => getFeedback().question!.answer(true));
    await told('The archive is deleted.');
    expect(await screen.findByRole('button', { name: 'Prepare archive' })).toBeTruthy();
  });

  it('is watched from its beginning, when nobody knows its size', async () => {
    await show({ ...BUILDING, doneBytes: null, totalBytes: null }, 'Cancel');
    expect(screen.queryByRole('progressbar')).toBeNull();
    archive = BUILDING;
    expect(await screen.findByRole('progressbar', {}, { timeout: 5_000 })).toBeTruthy();
  });

  it('goes when a new one is prepared, which is asked first', async () => {
    gateway.on('POST /api/me/archive', () => {
      archive = BUILDING;
      return Response.json(BUILDING, { status: 202 });
    });
    await show(READY, 'Download archive');
    await press('Prepare a new archive');
    expect(getFeedback().question!.message).toBe(
      'It takes the place of the archive that is ready, which is deleted. You can prepare three archives a day.',
    );
    act(() => getFeedback().question!.answer(false));
    expect(gateway.calls).not.toContain('POST /api/me/archive');
    await press('Prepare a new archive');
    act(() => getFeedback().question!.answer(true));
    expect(await screen.findByRole('progressbar')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Download archive' })).toBeNull();
  });

  it('that has begun without an answer is watched, and that it takes longer is told', async () => {
    gateway.on('POST /api/me/archive', () => {
      archive = { ...BUILDING, doneBytes: null, totalBytes: null };
      throw new TypeError('Failed to fetch');
    });
    await show(NONE, 'Prepare archive');
    await press('Prepare archive');
    await told('Your archive takes longer than usual. It shows here when it is ready.');
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy();
    archive = READY;
    expect(await screen.findByRole('link', { name: 'Download archive' }, { timeout: 5_000 })).toBeTruthy();
  });

  it('that has not begun where there is no answer could not be prepared', async () => {
    gateway.on('POST /api/me/archive', () => {
      throw new TypeError('Failed to fetch');
    });
    await show(NONE, 'Prepare archive');
    await press('Prepare archive');
    await told('Your archive could not be prepared. Please try again.');
  });

  it('is not prepared while another one is, which the server tells', async () => {
    const detail = 'Your data is being put together already. Please try again soon.';
    gateway.on('POST /api/me/archive', () => problem(429, 'too-many-requests', { detail, retryAfter: 30 }));
    await show(NONE, 'Prepare archive');
    await press('Prepare archive');
    await told(detail);
  });

  it('is prepared three times a day', async () => {
    gateway.on('POST /api/me/archive', () =>
      problem(429, 'too-many-requests', { detail: 'Too many requests', retryAfter: 40_000 }),
    );
    await show(NONE, 'Prepare archive');
    await press('Prepare archive');
    await told('You can prepare three archives a day. Please try again later.');
  });

  it.each([
    [429, 'You can prepare three archives a day. Please try again later.'],
    [
      503,
      'No archive can be prepared right now, because a part of your data is not available. Please try again later.',
    ],
    [500, 'Your archive could not be prepared. Please try again.'],
  ])('is not prepared where the answer is %i, which is told', async (status, message) => {
    gateway.on('POST /api/me/archive', () => problem(status, 'refused'));
    await show(NONE, 'Prepare archive');
    await press('Prepare archive');
    await told(message);
  });

  it('that could not be built says so, and is prepared anew', async () => {
    gateway.on('POST /api/me/archive', () => Response.json(BUILDING, { status: 202 }));
    await show({ ...NONE, ...REQUESTED, status: 'failed' }, 'Prepare archive');
    expect(screen.getByRole('alert').textContent).toBe(
      'Your archive could not be prepared. Please try again.',
    );
    archive = BUILDING;
    await press('Prepare archive');
    expect(await screen.findByRole('progressbar')).toBeTruthy();
  });

  it('can be asked for again where it did not load', async () => {
    gateway.on('GET /api/me/archive', () => problem(500, 'internal'));
    render(<ArchiveSetting />, { wrapper: aPageAround().wrapper });
    expect((await screen.findByRole('alert')).textContent).toContain('Your archive did not load.');
    gateway.on('GET /api/me/archive', () => NONE);
    await press('Try again');
    expect(await screen.findByRole('button', { name: 'Prepare archive' })).toBeTruthy();
  });
});
