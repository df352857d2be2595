import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aSession } from '../../../../test/a-post.js';
import { fakeAuthenticator, REQUEST_OPTIONS, SHOWN } from '../../../../test/fake-authenticator.js';
import type { FakeAuthenticator } from '../../../../test/fake-authenticator.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { session } from '../../../server/session/session.js';
import { PasskeyLogIn } from './passkey-log-in.js';

const OPTIONS = 'POST /api/auth/passkeys/login/options';
const LOG_IN = 'POST /api/auth/passkeys/login';
const MINUTE = 60_000;

let gateway: FakeGateway;
let authenticator: FakeAuthenticator | undefined;
let signIn: jest.SpiedFunction<typeof session.signIn>;
let sent: unknown[];

beforeEach(() => {
  sent = [];
  gateway = fakeGateway();
  gateway.on(OPTIONS, () => REQUEST_OPTIONS);
  answer(() => aSession('token'));
  signIn = jest.spyOn(session, 'signIn').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  authenticator?.remove();
  authenticator = undefined;
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function answer(response: () => unknown) {
  gateway.on(LOG_IN, async (request) => {
    sent.push(await request.json());
    return response();
  });
}

function show({ offers = false } = {}) {
  authenticator = fakeAuthenticator({ offers });
  render(
    <>
      <input aria-label="Email" autoComplete="email webauthn" />
      <PasskeyLogIn />
    </>,
    { wrapper: aPageAround().wrapper },
  );
  return authenticator;
}

const button = () => screen.getByRole('button', { name: 'Sign in with a passkey' });
const isWaiting = (conditional: boolean) =>
  waitFor(() =>
    expect(authenticator!.waiting().map(({ isConditional }) => isConditional)).toEqual([conditional]),
  );
const hasSignedIn = () => waitFor(() => expect(signIn).toHaveBeenCalledTimes(1));

// Rule: ACCT-43, UI-75
describe('the button', () => {
  it('is not there in a browser without passkeys', () => {
    render(<PasskeyLogIn />, { wrapper: aPageAround().wrapper });
    expect(screen.queryByRole('button')).toBeNull();
    expect(gateway.calls).toEqual([]);
  });

  it('signs in by the passkey that is shown', async () => {
    const device = show();
    await userEvent.click(button());
    await isWaiting(false);
    expect(screen.getByRole('button', { name: 'Waiting for your passkey...' })).toBeTruthy();
    await device.show();
    await hasSignedIn();
    expect(sent).toEqual([SHOWN]);
    expect(signIn).toHaveBeenCalledWith(expect.objectContaining({ accessToken: 'token' }));
  });

  it('says nothing where the user does not want to', async () => {
    const device = show();
    await userEvent.click(button());
    await device.cancel();
    await waitFor(() => expect(button()).toBeTruthy());
    expect([sent, screen.queryByRole('alert')]).toEqual([[], null]);
  });

  it.each<[string, () => Response]>([
    ['Failed to sign in with this passkey.', () => problem(401, 'invalid-credential')],
    ['This account has been disabled.', () => problem(403, 'user-disabled')],
    ['Too many attempts. Please wait a moment and try again.', () => problem(429, 'too-many-requests')],
    ['Pulso is not answering right now. Please try again in a moment.', () => problem(500, 'internal')],
  ])('says why it has failed: %s', async (text, refused) => {
    answer(refused);
    const device = show();
    await userEvent.click(button());
    await device.show();
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    expect(signIn).not.toHaveBeenCalled();
  });

  it('says that the browser has refused', async () => {
    const device = show();
    await userEvent.click(button());
    await device.fail('SecurityError');
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to sign in with this passkey.');
  });
});

// Rule: ACCT-43, UI-75
describe('passkeys under the field of the address', () => {
  it('are offered without a word, and sign in', async () => {
    const device = show({ offers: true });
    await isWaiting(true);
    expect(button().getAttribute('aria-busy')).toBe('false');
    await device.show();
    await hasSignedIn();
    expect(sent).toEqual([SHOWN]);
    expect(device.waiting()).toEqual([]);
  });

  it('are not asked for where the browser cannot', async () => {
    show();
    await act(async () => undefined);
    expect(gateway.calls).toEqual([]);
  });

  it('that are refused say so, and are offered again some seconds later', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    answer(() => problem(401, 'invalid-credential'));
    const device = show({ offers: true });
    await device.show();
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to sign in with this passkey.');
    expect(device.asked()).toBe(1);
    await act(() => jest.advanceTimersByTimeAsync(3_000));
    await isWaiting(true);
    expect(device.asked()).toBe(2);
  });

  it('make way for the button, and come back after it', async () => {
    const device = show({ offers: true });
    await isWaiting(true);
    await userEvent.click(button());
    await isWaiting(false);
    await device.cancel();
    await isWaiting(true);
    expect(device.asked()).toBe(3);
    expect(signIn).not.toHaveBeenCalled();
  });

  it('end with the page', async () => {
    const device = show({ offers: true });
    await isWaiting(true);
    cleanup();
    await waitFor(() => expect(device.waiting()).toEqual([]));
    await act(async () => undefined);
    expect(device.asked()).toBe(1);
  });

  it('have a new challenge before the old one is over', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const device = show({ offers: true });
    await isWaiting(true);
    act(() => void jest.advanceTimersByTime(4 * MINUTE));
    await waitFor(() => expect(device.asked()).toBe(2));
    await isWaiting(true);
    expect(gateway.calls).toEqual([OPTIONS, OPTIONS]);
  });

  it('are asked for again a minute after the server or the browser has not answered', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    gateway.on(OPTIONS, () => problem(500, 'internal'));
    const device = show({ offers: true });
    await waitFor(() => expect(gateway.calls).toEqual([OPTIONS]));
    gateway.on(OPTIONS, () => REQUEST_OPTIONS);
    await act(() => jest.advanceTimersByTimeAsync(MINUTE));
    await isWaiting(true);
    await device.cancel();
    await act(async () => undefined);
    expect(device.asked()).toBe(1);
    await act(() => jest.advanceTimersByTimeAsync(MINUTE));
    await waitFor(() => expect(device.asked()).toBe(2));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
