import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aSession } from '../../test/a-post.js';
import { aPasskey, fakeAuthenticator, REQUEST_OPTIONS, SHOWN } from '../../test/fake-authenticator.js';
import type { FakeAuthenticator } from '../../test/fake-authenticator.js';
import { fakeGateway, problem } from '../../test/fake-gateway.js';
import type { FakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';
import type { Me } from '../api/types.js';
import { clearFeedback, getFeedback } from '../components/feedback/feedback-store.js';
import { session } from '../server/session/session.js';
import { DEFAULT_POLICY } from '../validation/account.js';
import SettingsPage from './settings-page.js';

const BEN = 'ben@example.test';
const NEW = 'benito@example.test';

let gateway: FakeGateway;
/** The bodies of what was asked for by "METHOD /path". */
let sent: [route: string, body: unknown][];
let me: Me;

/** Answers what `change` makes of the account, or the refusal that it returns. */
function answer(route: string, change: () => Response | Partial<Me> | undefined) {
  gateway.on(route, async (request) => {
    const body: unknown = request.headers.get('content-type') ? await request.json() : undefined;
    sent.push([route, body]);
    const outcome = change();
    if (outcome instanceof Response) return outcome;
    me = { ...me, ...outcome };
    return outcome ? me : new Response(null, { status: 204 });
  });
}

beforeEach(() => {
  sent = [];
  gateway = fakeGateway();
  gateway.on('GET /api/me', () => me);
  gateway.on('GET /api/auth/sessions', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/auth/passkeys', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/auth/password-policy', () => DEFAULT_POLICY);
});
afterEach(() => {
  act(clearFeedback);
  cleanup();
  act(() => session.forceSignOut());
});

async function show(account: Partial<Me> = {}) {
  me = aMe({ email: BEN, emailVerified: true, ...account });
  act(() => session.signIn(aSession('token', { user: me })));
  render(<SettingsPage />, { wrapper: aPageAround({ path: '/settings' }).wrapper });
  await waitFor(() => expect(gateway.calls).toContain('GET /api/me'));
}

const section = (name: string) => within(screen.getByRole('region', { name }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const fill = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
const toasts = () => getFeedback().toasts.map(({ message }) => message);
const told = (text: string) => waitFor(() => expect(toasts()).toContain(text));

// Rule: UI-73
it('the settings are one page of sections', async () => {
  await show();
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

// Rule: UI-76, ACCT-32
describe('the account', () => {
  const DELETE = 'DELETE /api/me';
  const open = () => press('Delete account');
  const confirm = () => press('Delete my account for good');
  const gone = () => new Response(null, { status: 202 });

  it('is deleted by its username, typed, and its password, after what goes and what stays was said', async () => {
    answer(DELETE, gone);
    await show({ username: 'ben' });
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
    expect(sent).toEqual([]);
    fill('Type ben to confirm', ' @Ben ');
    await confirm();
    await told('Your account is deleted.');
    expect(sent).toEqual([[DELETE, { password: 'correct horse' }]]);
    expect(session.getState()).toEqual({ status: 'signed-out', reason: 'logout' });
  });

  it('goes on when the password is wrong', async () => {
    answer(DELETE, () => problem(403, 'wrong-password'));
    await show({ username: 'ben' });
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
    answer(DELETE, () => problem(403, 'wrong-password'));
    await show({ username: 'ben', hasPassword: false });
    await open();
    expect(screen.queryByLabelText('Current password')).toBeNull();
    fill('Type ben to confirm', 'ben');
    await confirm();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Please log out and sign in again, and do this within 5 minutes.',
    );
    expect(sent).toEqual([[DELETE, {}]]);
  });
});

// Rule: UI-27, ACCT-26, ACCT-27
describe('the e-mail address', () => {
  const PATCH = 'PATCH /api/me';

  it('is shown with who sees it, and is changed with the current password', async () => {
    answer(PATCH, () => ({ pendingEmail: NEW }));
    await show();
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
    expect(sent).toEqual([[PATCH, { email: NEW, currentPassword: 'correct horse' }]]);
    const pending = `Open the link that we have sent to ${NEW}. Until then ${BEN} stays your address.`;
    expect(await screen.findByText(pending)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change email' }));
  });

  it.each([
    [403, 'wrong-password', 'This is not your current password'],
    [409, 'email-already-in-use', 'An account with this email already exists'],
    [500, 'internal', 'Your email address could not be changed. Please try again.'],
  ])('that is refused with %i %s says why', async (status, code, text) => {
    answer(PATCH, () => problem(status, code));
    await show();
    await press('Change email');
    fill('New email', NEW);
    fill('Current password', 'wrong');
    await press('Send link');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByLabelText('New email')).toBeTruthy();
  });

  it('of who has no password is changed after a new sign-in', async () => {
    answer(PATCH, () => problem(403, 'wrong-password'));
    await show({ hasPassword: false });
    await press('Change email');
    expect(screen.queryByLabelText('Current password')).toBeNull();
    fill('New email', NEW);
    await press('Send link');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Please log out and sign in again, and do this within 5 minutes.',
    );
    expect(sent).toEqual([[PATCH, { email: NEW }]]);
  });

  it('that waits can be asked for again, and withdrawn', async () => {
    answer('POST /api/auth/email/resend', () => new Response(null, { status: 202 }));
    answer(PATCH, () => ({ pendingEmail: null }));
    await show({ pendingEmail: NEW });
    await press('Send the link again');
    await told('We have sent the link again.');
    await press('Cancel the change');
    await told(`Your address stays ${BEN}.`);
    expect(sent).toEqual([
      ['POST /api/auth/email/resend', undefined],
      [PATCH, { email: BEN }],
    ]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Send the link again' })).toBeNull());
  });

  it('that is not verified says so, and a failure to send its link is told', async () => {
    answer('POST /api/auth/email/resend', () => problem(500, 'internal'));
    await show({ emailVerified: false });
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
    answer(CHANGE, () => undefined);
    await show();
    await press('Change password');
    expect(document.activeElement).toBe(screen.getByLabelText('Current password'));
    await change('', 'short', 'other');
    expect(screen.getByText('Current password is required')).toBeTruthy();
    expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy();
    expect(screen.getByText('Passwords do not match')).toBeTruthy();
    await change('correct horse', 'another horse');
    await told('Your password is changed. Other devices have been signed out.');
    expect(sent).toEqual([[CHANGE, { currentPassword: 'correct horse', password: 'another horse' }]]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change password' }));
    // The list of devices is read again.
    const reads = () => gateway.calls.filter((call) => call === 'GET /api/auth/sessions');
    await waitFor(() => expect(reads()).toHaveLength(2));
  });

  it.each([
    ['wrong-password', 'This is not your current password'],
    ['internal', 'Your password could not be changed. Please try again.'],
  ])('that is refused says why: %s', async (code, text) => {
    answer(CHANGE, () => problem(code === 'internal' ? 500 : 403, code));
    await show();
    await press('Change password');
    await change('wrong', 'another horse');
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('is set where there is none', async () => {
    answer(CHANGE, () => undefined);
    await show({ hasPassword: false });
    expect(section('Security').getByText('Your account has no password yet.')).toBeTruthy();
    await press('Set a password');
    await change(undefined, 'another horse');
    await waitFor(() => expect(sent).toEqual([[CHANGE, { password: 'another horse' }]]));
  });
});

// Rule: ACCT-43, UI-75
describe('a passkey in place of the current password', () => {
  const CHANGE = 'POST /api/auth/password/change';
  let authenticator: FakeAuthenticator;
  beforeEach(() => {
    authenticator = fakeAuthenticator();
    gateway.on('GET /api/auth/passkeys', () => ({ items: [aPasskey()], nextCursor: null }));
    gateway.on('POST /api/auth/passkeys/confirm/options', () => REQUEST_OPTIONS);
    answer('POST /api/auth/passkeys/confirm', () => undefined);
  });
  afterEach(() => authenticator.remove());

  const choose = async () => {
    fill('New password', 'another horse');
    fill('Confirm password', 'another horse');
    await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey instead' }));
    await authenticator.show();
    expect((await screen.findByRole('status')).textContent).toBe('Confirmed with your passkey.');
  };

  it('takes the place of its field, also for the e-mail address', async () => {
    answer(CHANGE, () => undefined);
    answer('PATCH /api/me', () => ({ pendingEmail: NEW }));
    await show();
    await press('Change password');
    await choose();
    expect(screen.queryByLabelText('Current password')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save password' }));
    await press('Save password');
    await told('Your password is changed. Other devices have been signed out.');
    await press('Change email');
    fill('New email', NEW);
    await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey instead' }));
    await authenticator.show();
    await screen.findByRole('status');
    await press('Send link');
    await told(`We have sent a link to ${NEW}.`);
    expect(sent.filter(([route]) => !route.includes('confirm'))).toEqual([
      [CHANGE, { password: 'another horse' }],
      ['PATCH /api/me', { email: NEW }],
    ]);
    expect(sent[0]).toEqual(['POST /api/auth/passkeys/confirm', SHOWN]);
  });

  it('that counts no longer is asked for again', async () => {
    answer(CHANGE, () => problem(403, 'wrong-password'));
    await show();
    await press('Change password');
    await choose();
    await press('Save password');
    expect((await screen.findByRole('alert')).textContent).toBe('Please confirm once more that it is you.');
    expect(screen.getByLabelText('Current password')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Use a passkey instead' })).toBeTruthy();
  });

  it('that the user does not want to show says nothing, and one that is refused does', async () => {
    await show();
    await press('Change password');
    const button = await screen.findByRole('button', { name: 'Use a passkey instead' });
    await userEvent.click(button);
    await authenticator.cancel();
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'));
    expect(toasts()).toEqual([]);
    answer('POST /api/auth/passkeys/confirm', () => problem(403, 'wrong-password'));
    await userEvent.click(button);
    await authenticator.show();
    await told('This passkey could not be used. Please try again.');
    expect(screen.getByLabelText('Current password')).toBeTruthy();
  });

  it('is asked for in another way of who has no password', async () => {
    answer(CHANGE, () => undefined);
    await show({ hasPassword: false });
    await press('Set a password');
    expect(await screen.findByRole('button', { name: 'Confirm with a passkey' })).toBeTruthy();
    expect(screen.queryByLabelText('Current password')).toBeNull();
  });

  it('is not there without any, nor in a browser that has none', async () => {
    gateway.on('GET /api/auth/passkeys', () => ({ items: [], nextCursor: null }));
    await show();
    await press('Change password');
    await screen.findByText('You have no passkeys yet.');
    expect(screen.queryByRole('button', { name: 'Use a passkey instead' })).toBeNull();
  });
});

// Rule: MAIL-6
describe('the settings of mails', () => {
  const PATCH = 'PATCH /api/me';
  const of = (name: string) =>
    screen.getByRole<HTMLInputElement>('switch', { name: new RegExp(`^${name} `) });

  it('are the language and the two kinds, each saved at once', async () => {
    await show({ emails: { subscriptions: false, security: true } });
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language of e-mails' });
    answer(PATCH, () => ({ language: 'es' }));
    await userEvent.selectOptions(select, 'Español');
    await waitFor(() => expect(sent).toEqual([[PATCH, { language: 'es' }]]));
    expect(select.value).toBe('es');
    answer(PATCH, () => ({ emails: { subscriptions: true, security: true } }));
    expect([of('Subscriptions').checked, of('New sign-ins').checked]).toEqual([false, true]);
    await userEvent.click(of('Subscriptions'));
    await waitFor(() => expect(sent.at(-1)).toEqual([PATCH, { emails: { subscriptions: true } }]));
    expect(of('Subscriptions').checked).toBe(true);
  });

  it.each([
    [403, 'permission-denied', 'Verify your email address before you switch these emails on again.'],
    [500, 'internal', 'This setting could not be saved. Please try again.'],
  ])('that are refused with %i stay, and say why', async (status, code, text) => {
    answer(PATCH, () => problem(status, code));
    await show({ emailVerified: false, emails: { subscriptions: false, security: true } });
    await userEvent.click(of('Subscriptions'));
    await told(text);
    await waitFor(() => expect(of('Subscriptions').checked).toBe(false));
  });
});

// Rule: UI-10
it('the theme is chosen for this browser', async () => {
  await show();
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
  gateway.on('GET /api/me/blocks', () => ({ items: [mia], nextCursor: null }));
  gateway.on('DELETE /api/users/mia/block', () => new Response(null, { status: 204 }));
  await show();
  await userEvent.click(section('Blocked people').getByRole('button', { name: 'Show the list' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Unblock Mia' }));
  await told('You have unblocked Mia.');
});
