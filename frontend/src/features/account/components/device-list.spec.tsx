import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { DeviceSession } from '../../../api/types.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { DeviceList } from './device-list.js';

const aDevice = (over: Partial<DeviceSession>): DeviceSession => ({
  id: 'd1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  address: '203.0.113.7',
  createdAt: '2026-11-03T10:00:00.000Z',
  lastUsedAt: '2026-11-20T10:00:00.000Z',
  current: false,
  ...over,
});

const HERE = aDevice({ id: 'here', current: true, lastUsedAt: '2026-11-01T00:00:00.000Z' });
const OLD = aDevice({ id: 'old', lastUsedAt: '2026-11-10T00:00:00.000Z', userAgent: 'curl/8.5.0' });
const PHONE = aDevice({
  id: 'phone',
  address: '2001:db8::7',
  userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36',
});

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => {
  act(clearFeedback);
  cleanup();
});

async function show(...items: DeviceSession[]) {
  gateway.on('GET /api/auth/sessions', () => ({ items, nextCursor: null }));
  render(<DeviceList />, { wrapper: aPageAround().wrapper });
  await screen.findByRole('list', { name: 'Devices' });
}

const devices = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const decide = (confirmed: boolean) => act(() => getFeedback().question!.answer(confirmed));
const toasts = () => getFeedback().toasts.map(({ message }) => message);

// Rule: ACCT-22
describe('the devices that are signed in', () => {
  it('are told in plain words, this one first, then the one that was used last', async () => {
    await show(OLD, PHONE, HERE);
    expect(devices()).toEqual([
      expect.stringMatching(
        /^Firefox on LinuxThis deviceNetwork address 203\.0\.113\.7Signed in Nov 3, 2026 · Active now$/,
      ),
      expect.stringMatching(
        /^Chrome on AndroidNetwork address 2001:db8::7Signed in .* · Last used .*Sign out/,
      ),
      expect.stringMatching(/^Unknown device/),
    ]);
    expect(screen.queryByRole('button', { name: 'Sign out Firefox on Linux' })).toBeNull();
  });

  it.each([
    ['as asked', () => new Response(null, { status: 204 })],
    ['and it had ended meanwhile', () => problem(404, 'not-found')],
  ])('are signed out one by one, after a question, %s', async (_how, response) => {
    gateway.on('DELETE /api/auth/sessions/phone', response);
    await show(HERE, PHONE, OLD);
    await press('Sign out Chrome on Android');
    expect(getFeedback().question).toMatchObject({
      title: 'Sign this device out?',
      message: 'Chrome on Android will have to sign in again.',
      danger: true,
    });
    decide(false);
    await press('Sign out Chrome on Android');
    decide(true);
    await waitFor(() => expect(devices()).toHaveLength(2));
    expect(toasts()).toEqual(['Chrome on Android is signed out.']);
    expect(gateway.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
    // The pressed button is gone.
    expect(document.activeElement).toBe(screen.getAllByRole('listitem')[1]);
  });

  it('are signed out together, but for this one', async () => {
    gateway.on('DELETE /api/auth/sessions', () => new Response(null, { status: 204 }));
    await show(HERE, PHONE, OLD);
    await press('Sign out all other devices');
    decide(true);
    await waitFor(() => expect(devices()).toHaveLength(1));
    expect(toasts()).toEqual(['All other devices are signed out.']);
    expect(screen.queryByRole('button', { name: 'Sign out all other devices' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('list'));
  });

  it('stay where that fails, which is told', async () => {
    gateway.on('DELETE /api/auth/sessions/phone', () => problem(500, 'internal'));
    gateway.on('DELETE /api/auth/sessions', () => problem(429, 'too-many-requests'));
    await show(HERE, PHONE);
    await press('Sign out Chrome on Android');
    decide(true);
    await waitFor(() => expect(toasts()).toEqual(['This device could not be signed out. Please try again.']));
    await press('Sign out all other devices');
    decide(true);
    await waitFor(() => expect(toasts()).toContain('Too many attempts. Please wait a moment and try again.'));
    expect(devices()).toHaveLength(2);
  });

  it('can be asked for again where they did not load', async () => {
    gateway.on('GET /api/auth/sessions', () => problem(500, 'internal'));
    render(<DeviceList />, { wrapper: aPageAround().wrapper });
    expect((await screen.findByRole('alert')).textContent).toContain('Your devices did not load.');
    gateway.on('GET /api/auth/sessions', () => ({ items: [HERE], nextCursor: null }));
    await press('Try again');
    expect(await screen.findByText('This device')).toBeTruthy();
  });
});
