import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { problem } from '../../test/fake-gateway.js';
import { BEN, fill, press, section, Settings, told } from '../../test/settings.js';

const NEW = 'benito@example.test';

let settings: Settings;
beforeEach(() => {
  settings = new Settings();
});
afterEach(() => settings.leave());

// Rule: UI-73
it('the settings are one page of sections', async () => {
  await settings.show();
  expect(document.title).toBe('Settings · Pulso');
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(titles).toEqual([
    'Account',
    'Security',
    'Passkeys',
    'Devices',
    'E-mails',
    'Theme',
    'Blocked people',
    'Your data',
    'Delete account',
  ]);
  expect(section('Account').getByRole('button', { name: 'Logout' })).toBeTruthy();
});

// Rule: UI-27, ACCT-26, ACCT-27
describe('the e-mail address', () => {
  const PATCH = 'PATCH /api/me';

  it('is shown with who sees it, and is changed with the current password', async () => {
    settings.answer(PATCH, () => ({ pendingEmail: NEW }));
    await settings.show();
    expect(screen.getByText(BEN).parentElement?.textContent).toContain('Verified');
    expect(screen.getByText('Only you and the coaches you subscribe to can see this.')).toBeTruthy();
    await press('Change email');
    expect(document.activeElement).toBe(screen.getByLabelText('New email'));
    await press('Send link');
    expect(screen.getByText('Current password is required')).toBeTruthy();
    fill('New email', BEN.toUpperCase());
    expect(screen.getByText('This is your email address already')).toBeTruthy();
    fill('New email', NEW);
    fill('Current password', 'correct horse');
    await press('Send link');
    await told(`We have sent a link to ${NEW}.`);
    expect(settings.sent).toEqual([[PATCH, { email: NEW, currentPassword: 'correct horse' }]]);
    const pending = `Open the link that we have sent to ${NEW}. Until then ${BEN} stays your address.`;
    expect(await screen.findByText(pending)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change email' }));
  });

  it.each([
    [403, 'wrong-password', 'This is not your current password'],
    [409, 'email-already-in-use', 'An account with this email already exists'],
    [500, 'internal', 'Your email address could not be changed. Please try again.'],
  ])('that is refused with %i %s says why', async (status, code, text) => {
    settings.answer(PATCH, () => problem(status, code));
    await settings.show();
    await press('Change email');
    fill('New email', NEW);
    fill('Current password', 'wrong');
    await press('Send link');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByLabelText('New email')).toBeTruthy();
  });

  it('of who has no password is changed after a new sign-in', async () => {
    settings.answer(PATCH, () => problem(403, 'wrong-password'));
    await settings.show({ hasPassword: false });
    await press('Change email');
    expect(screen.queryByLabelText('Current password')).toBeNull();
    fill('New email', NEW);
    await press('Send link');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Please log out and sign in again, and do this within 5 minutes.',
    );
    expect(settings.sent).toEqual([[PATCH, { email: NEW }]]);
  });

  it('that waits can be asked for again, and withdrawn', async () => {
    settings.answer('POST /api/auth/email/resend', () => new Response(null, { status: 202 }));
    settings.answer(PATCH, () => ({ pendingEmail: null }));
    await settings.show({ pendingEmail: NEW });
    await press('Send the link again');
    await told('We have sent the link again.');
    await press('Cancel the change');
    await told(`Your address stays ${BEN}.`);
    expect(settings.sent).toEqual([
      ['POST /api/auth/email/resend', undefined],
      [PATCH, { email: BEN }],
    ]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Send the link again' })).toBeNull());
  });

  it('that is not verified says so, and a failure to send its link is told', async () => {
    settings.answer('POST /api/auth/email/resend', () => problem(500, 'internal'));
    await settings.show({ emailVerified: false });
    expect(screen.getByText('Not verified')).toBeTruthy();
    await press('Send the link again');
    await told('The link could not be sent. Please try again.');
  });
});

// Rule: ACCT-9
describe('the password', () => {
  const CHANGE = 'POST /api/auth/password/change';

  async function change(current: string | undefined, password: string, confirmation = password) {
    if (current !== undefined) fill('Current password', current);
    fill('New password', password);
    fill('Confirm password', confirmation);
    await press('Save password');
  }

  it('is changed with the current one', async () => {
    settings.answer(CHANGE, () => undefined);
    await settings.show();
    await press('Change password');
    expect(document.activeElement).toBe(screen.getByLabelText('Current password'));
    await change('', 'short', 'other');
    expect(screen.getByText('Current password is required')).toBeTruthy();
    expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy();
    expect(screen.getByText('Passwords do not match')).toBeTruthy();
    await change('correct horse', 'another horse');
    await told('Your password is changed. Other devices have been signed out.');
    expect(settings.sent).toEqual([
      [CHANGE, { currentPassword: 'correct horse', password: 'another horse' }],
    ]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change password' }));
    // The list of devices is read again.
    const reads = () => settings.gateway.calls.filter((call) => call === 'GET /api/auth/sessions');
    await waitFor(() => expect(reads()).toHaveLength(2));
  });

  it.each([
    ['wrong-password', 'This is not your current password'],
    ['internal', 'Your password could not be changed. Please try again.'],
  ])('that is refused says why: %s', async (code, text) => {
    settings.answer(CHANGE, () => problem(code === 'internal' ? 500 : 403, code));
    await settings.show();
    await press('Change password');
    await change('wrong', 'another horse');
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('is set where there is none', async () => {
    settings.answer(CHANGE, () => undefined);
    await settings.show({ hasPassword: false });
    expect(section('Security').getByText('Your account has no password yet.')).toBeTruthy();
    await press('Set a password');
    await change(undefined, 'another horse');
    await waitFor(() => expect(settings.sent).toEqual([[CHANGE, { password: 'another horse' }]]));
  });
});

// Rule: MAIL-6
describe('the settings of mails', () => {
  const PATCH = 'PATCH /api/me';
  const of = (name: string) =>
    screen.getByRole<HTMLInputElement>('switch', { name: new RegExp(`^${name} `) });

  it('are the language and the two kinds, each saved at once', async () => {
    await settings.show({ emails: { subscriptions: false, security: true } });
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language of e-mails' });
    settings.answer(PATCH, () => ({ language: 'es' }));
    await userEvent.selectOptions(select, 'Español');
    await waitFor(() => expect(settings.sent).toEqual([[PATCH, { language: 'es' }]]));
    expect(select.value).toBe('es');
    settings.answer(PATCH, () => ({ emails: { subscriptions: true, security: true } }));
    expect([of('Subscriptions').checked, of('New sign-ins').checked]).toEqual([false, true]);
    await userEvent.click(of('Subscriptions'));
    await waitFor(() => expect(settings.sent.at(-1)).toEqual([PATCH, { emails: { subscriptions: true } }]));
    expect(of('Subscriptions').checked).toBe(true);
  });

  it.each([
    [403, 'permission-denied', 'Verify your email address before you switch these emails on again.'],
    [500, 'internal', 'This setting could not be saved. Please try again.'],
  ])('that are refused with %i stay, and say why', async (status, code, text) => {
    settings.answer(PATCH, () => problem(status, code));
    await settings.show({ emailVerified: false, emails: { subscriptions: false, security: true } });
    await userEvent.click(of('Subscriptions'));
    await told(text);
    await waitFor(() => expect(of('Subscriptions').checked).toBe(false));
  });
});

// Rule: UI-10
it('the theme is chosen for this browser', async () => {
  await settings.show();
  const theme = within(screen.getByRole('group', { name: 'Theme' }));
  expect(theme.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
    'As the system',
    'Light',
    'Dark',
  ]);
  await userEvent.click(theme.getByRole('radio', { name: 'Dark' }));
  expect(theme.getByRole<HTMLInputElement>('radio', { name: 'Dark' }).checked).toBe(true);
});

// Rule: PEOPLE-26
it('who is blocked is listed, and can be unblocked', async () => {
  const mia = { id: 'mia', name: 'Mia', username: 'mia', profileImage: '/api/avatars/m.svg', isCoach: false };
  settings.gateway.on('GET /api/me/blocks', () => ({ items: [mia], nextCursor: null }));
  settings.gateway.on('DELETE /api/users/mia/block', () => new Response(null, { status: 204 }));
  await settings.show();
  await userEvent.click(section('Blocked people').getByRole('button', { name: 'Show the list' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Unblock Mia' }));
  await told('You have unblocked Mia.');
});
