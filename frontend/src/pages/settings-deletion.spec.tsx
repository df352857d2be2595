import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPasskey, fakeAuthenticator, REQUEST_OPTIONS } from '../../test/fake-authenticator.js';
import { problem } from '../../test/fake-gateway.js';
import { fill, press, section, Settings, told } from '../../test/settings.js';
import { session } from '../server/session/session.js';

let settings: Settings;
beforeEach(() => {
  settings = new Settings();
});
afterEach(() => settings.leave());

// Rule: UI-76, ACCT-32
describe('the account', () => {
  const DELETE = 'DELETE /api/me';
  const open = () => press('Delete account');
  const confirm = () => press('Delete my account for good');
  const gone = () => new Response(null, { status: 202 });

  it('is deleted by its username, typed, and its password, after what goes and what stays was said', async () => {
    settings.answer(DELETE, gone);
    await settings.show({ username: 'ben' });
    await open();
    const form = section('Delete account');
    for (const title of ['What goes', 'What stays'])
      expect(form.getByRole('heading', { name: title })).toBeTruthy();
    expect(form.getByText(/You cannot download your data afterwards/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Type ben to confirm'));
    await confirm();
    expect(screen.getByText('Type ben to confirm that you want to delete your account')).toBeTruthy();
    expect(screen.getByText('Current password is required')).toBeTruthy();
    fill('Type ben to confirm', 'Benny');
    fill('Current password', 'correct horse');
    await confirm();
    expect(settings.sent).toEqual([]);
    fill('Type ben to confirm', ' @Ben ');
    await confirm();
    await told('Your account is deleted.');
    expect(settings.sent).toEqual([[DELETE, { password: 'correct horse' }]]);
    expect(session.getState()).toEqual({ status: 'signed-out', reason: 'logout' });
  });

  it('goes on when the password is wrong', async () => {
    settings.answer(DELETE, () => problem(403, 'wrong-password'));
    await settings.show({ username: 'ben' });
    await open();
    fill('Type ben to confirm', 'ben');
    fill('Current password', 'wrong');
    await confirm();
    expect(await screen.findByText('This is not your current password')).toBeTruthy();
    expect(session.getState().status).toBe('signed-in');
    await press('Cancel');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete account' }));
  });

  it('without a password is deleted after a new sign-in', async () => {
    settings.answer(DELETE, () => problem(403, 'wrong-password'));
    await settings.show({ username: 'ben', hasPassword: false });
    await open();
    expect(screen.queryByLabelText('Current password')).toBeNull();
    fill('Type ben to confirm', 'ben');
    await confirm();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Please log out and sign in again, and do this within 5 minutes.',
    );
    expect(settings.sent).toEqual([[DELETE, {}]]);
  });

  // Rule: ACCT-43
  it.each([true, false])(
    'is deleted by a passkey in place of a password, where it has one: %s',
    async (hasPassword) => {
      const authenticator = fakeAuthenticator();
      try {
        settings.gateway.on('GET /api/auth/passkeys', () => ({ items: [aPasskey()], nextCursor: null }));
        settings.gateway.on('POST /api/auth/passkeys/confirm/options', () => REQUEST_OPTIONS);
        settings.gateway.on('POST /api/auth/passkeys/confirm', () => new Response(null, { status: 204 }));
        settings.answer(DELETE, gone);
        await settings.show({ username: 'ben', hasPassword });
        await open();
        fill('Type ben to confirm', 'ben');
        const name = hasPassword ? 'Use a passkey instead' : 'Confirm with a passkey';
        await userEvent.click(await screen.findByRole('button', { name }));
        await authenticator.show();
        expect(
          (await screen.findByText('Confirmed with your passkey.')).closest('[role=status]'),
        ).toBeTruthy();
        expect(screen.queryByLabelText('Current password')).toBeNull();
        await confirm();
        await told('Your account is deleted.');
        expect(settings.sent).toEqual([[DELETE, {}]]);
      } finally {
        authenticator.remove();
      }
    },
  );
});
