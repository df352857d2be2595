import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPasskey, fakeAuthenticator, REQUEST_OPTIONS, SHOWN } from '../../test/fake-authenticator.js';
import type { FakeAuthenticator } from '../../test/fake-authenticator.js';
import { problem } from '../../test/fake-gateway.js';
import { fill, press, Settings, toasts, told } from '../../test/settings.js';

const NEW = 'benito@example.test';

let settings: Settings;
beforeEach(() => {
  settings = new Settings();
});
afterEach(() => settings.leave());

// Rule: ACCT-43, UI-75
describe('a passkey in place of the current password', () => {
  const CHANGE = 'POST /api/auth/password/change';
  let authenticator: FakeAuthenticator;
  beforeEach(() => {
    authenticator = fakeAuthenticator();
    settings.gateway.on('GET /api/auth/passkeys', () => ({ items: [aPasskey()], nextCursor: null }));
    settings.gateway.on('POST /api/auth/passkeys/confirm/options', () => REQUEST_OPTIONS);
    settings.answer('POST /api/auth/passkeys/confirm', () => undefined);
  });
  afterEach(() => authenticator.remove());

  const choose = async () => {
    fill('New password', 'another horse');
    fill('Confirm password', 'another horse');
    await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey instead' }));
    await authenticator.show();
    expect((await screen.findByText('Confirmed with your passkey.')).closest('[role=status]')).toBeTruthy();
  };

  it('takes the place of its field, also for the e-mail address', async () => {
    settings.answer(CHANGE, () => undefined);
    settings.answer('PATCH /api/me', () => ({ pendingEmail: NEW }));
    await settings.show();
    await press('Change password');
    await choose();
    expect(screen.queryByLabelText('Current password')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save password' }));
    expect(screen.getByText('Passkeys from before you changed your email address are removed.')).toBeTruthy();
    const reads = () => settings.gateway.calls.filter((call) => call === 'GET /api/auth/passkeys').length;
    const before = reads();
    await press('Save password');
    await told('Your password is changed. Other devices have been signed out.');
    await waitFor(() => expect(reads()).toBe(before + 1));
    await press('Change email');
    fill('New email', NEW);
    await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey instead' }));
    await authenticator.show();
    await screen.findByText('Confirmed with your passkey.');
    await press('Send link');
    await told(`We have sent a link to ${NEW}.`);
    expect(settings.sent.filter(([route]) => !route.includes('confirm'))).toEqual([
      [CHANGE, { password: 'another horse' }],
      ['PATCH /api/me', { email: NEW }],
    ]);
    expect(settings.sent[0]).toEqual(['POST /api/auth/passkeys/confirm', SHOWN]);
  });

  it('that counts no longer is asked for again', async () => {
    settings.answer(CHANGE, () => problem(403, 'wrong-password'));
    await settings.show();
    await press('Change password');
    await choose();
    await press('Save password');
    expect((await screen.findByRole('alert')).textContent).toBe('Please confirm once more that it is you.');
    expect(screen.getByLabelText('Current password')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Use a passkey instead' })).toBeTruthy();
  });

  it('that the user does not want to show says nothing, and one that is refused does', async () => {
    await settings.show();
    await press('Change password');
    const button = await screen.findByRole('button', { name: 'Use a passkey instead' });
    await userEvent.click(button);
    await authenticator.cancel();
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'));
    expect(toasts()).toEqual([]);
    settings.answer('POST /api/auth/passkeys/confirm', () => problem(403, 'wrong-password'));
    await userEvent.click(button);
    await authenticator.show();
    await told('This passkey could not be used. Please try again.');
    expect(screen.getByLabelText('Current password')).toBeTruthy();
  });

  it('is asked for in another way of who has no password', async () => {
    settings.answer(CHANGE, () => undefined);
    await settings.show({ hasPassword: false });
    await press('Set a password');
    expect(await screen.findByRole('button', { name: 'Confirm with a passkey' })).toBeTruthy();
    expect(screen.queryByLabelText('Current password')).toBeNull();
  });

  it('is not there without any, nor in a browser that has none', async () => {
    settings.gateway.on('GET /api/auth/passkeys', () => ({ items: [], nextCursor: null }));
    await settings.show();
    await press('Change password');
    await screen.findByText('You have no passkeys yet.');
    expect(screen.queryByRole('button', { name: 'Use a passkey instead' })).toBeNull();
  });
});
