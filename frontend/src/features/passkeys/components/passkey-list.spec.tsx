import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe } from '../../../../test/a-post.js';
import {
  aPasskey,
  CREATION_OPTIONS,
  fakeAuthenticator,
  MADE,
  REQUEST_OPTIONS,
} from '../../../../test/fake-authenticator.js';
import type { FakeAuthenticator } from '../../../../test/fake-authenticator.js';
import { fakeGateway, problem, refusal } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Me, Passkey } from '../../../api/types.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { PasskeyList } from './passkey-list.js';

let gateway: FakeGateway;
let authenticator: FakeAuthenticator;
/** The bodies of what was asked for by "METHOD /path". */
let sent: [route: string, body: unknown][];

beforeEach(() => {
  sent = [];
  gateway = fakeGateway();
  authenticator = fakeAuthenticator();
});
afterEach(() => {
  act(clearFeedback);
  cleanup();
  authenticator.remove();
});

function answer(route: string, response: () => unknown) {
  gateway.on(route, async (request) => {
    sent.push([route, request.headers.get('content-type') ? await request.json() : undefined]);
    return response();
  });
}

async function show(passkeys: Passkey[] = [], me: Partial<Me> = {}) {
  gateway.on('GET /api/auth/passkeys', () => ({ items: passkeys, nextCursor: null }));
  // As on the page: the section is what gets the focus when the last entry goes.
  render(
    <section tabIndex={-1}>
      <PasskeyList me={aMe(me)} deviceName="Chrome on Windows" />
    </section>,
    { wrapper: aPageAround().wrapper },
  );
  await waitFor(() => expect(gateway.calls).toContain('GET /api/auth/passkeys'));
  await screen.findByText(passkeys[0]?.name ?? 'You have no passkeys yet.');
}

const passkeys = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const fill = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });
const decide = (confirmed: boolean) => act(() => getFeedback().question!.answer(confirmed));
const toasts = () => getFeedback().toasts.map(({ message }) => message);
const told = (text: string) => waitFor(() => expect(toasts()).toContain(text));

// Rule: ACCT-43, UI-75
describe('a new passkey', () => {
  const OPTIONS = 'POST /api/auth/passkeys/options';
  const ADD = 'POST /api/auth/passkeys';
  const create = async (password = 'correct horse') => {
    await press('Add a passkey');
    if (password) fill('Current password', password);
    await press('Create passkey');
  };

  it('is named, made by the device and listed', async () => {
    answer(OPTIONS, () => CREATION_OPTIONS);
    answer(ADD, () => Response.json(aPasskey({ name: 'My laptop' }), { status: 201 }));
    await show();
    await press('Add a passkey');
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Chrome on Windows');
    fill('Name', ' ');
    await press('Create passkey');
    expect(screen.getByText('Name is required')).toBeTruthy();
    expect(screen.getByText('Current password is required')).toBeTruthy();
    fill('Name', ' My laptop ');
    fill('Current password', 'correct horse');
    await press('Create passkey');
    expect(await screen.findByRole('button', { name: 'Waiting for your device...' })).toBeTruthy();
    await authenticator.show();
    await told('The passkey My laptop is added.');
    expect(sent).toEqual([
      [OPTIONS, { currentPassword: 'correct horse' }],
      [ADD, { name: 'My laptop', ...MADE }],
    ]);
    expect(passkeys()).toEqual([expect.stringMatching(/^My laptopAdded Nov 3, 2026 · Never used/)]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a passkey' }));
  });

  it('may be confirmed by another one, or needs nothing after a fresh sign-in without a password', async () => {
    answer(OPTIONS, () => CREATION_OPTIONS);
    answer(ADD, () => Response.json(aPasskey({ id: 'p2' }), { status: 201 }));
    gateway.on('POST /api/auth/passkeys/confirm/options', () => REQUEST_OPTIONS);
    gateway.on('POST /api/auth/passkeys/confirm', () => new Response(null, { status: 204 }));
    await show([aPasskey()]);
    await press('Add a passkey');
    await press('Use a passkey instead');
    await authenticator.show();
    expect((await screen.findByRole('status')).textContent).toBe('Confirmed with your passkey.');
    await press('Create passkey');
    await authenticator.show();
    await told('The passkey Phone is added.');
    cleanup();
    await show([], { hasPassword: false });
    await create('');
    await authenticator.show();
    await waitFor(() => expect(sent.filter(([route]) => route === OPTIONS)).toHaveLength(2));
    for (const [, body] of sent.filter(([route]) => route === OPTIONS)) expect(body).toEqual({});
  });

  it('that the user does not want after all says nothing', async () => {
    answer(OPTIONS, () => CREATION_OPTIONS);
    await show();
    await create();
    await authenticator.cancel();
    expect(await screen.findByRole('button', { name: 'Create passkey' })).toBeTruthy();
    expect([toasts(), screen.queryByRole('alert')]).toEqual([[], null]);
    expect(sent.map(([route]) => route)).toEqual([OPTIONS]);
  });

  it.each<[string, () => Response]>([
    ['This is not your current password', () => problem(403, 'wrong-password')],
    ['Too many attempts. Please wait a moment and try again.', () => problem(429, 'too-many-requests')],
    ['This passkey cannot be used.', () => problem(422, 'unprocessable')],
    ['The passkey could not be added. Please try again.', () => problem(500, 'internal')],
  ])('that is refused says why: %s', async (text, refused) => {
    answer(OPTIONS, refused);
    await show();
    await create();
    expect(await screen.findByText(text)).toBeTruthy();
    expect(authenticator.asked()).toBe(0);
  });

  it.each<[string, string, (() => Response) | undefined]>([
    ['InvalidStateError', 'This device has a passkey of your account already.', undefined],
    ['NotReadableError', 'The passkey could not be added. Please try again.', undefined],
    ['', 'This device has a passkey of your account already.', () => problem(409, 'conflict')],
    ['', 'The server says no.', () => refusal('name', 'The server says no.')],
  ])('that the device or the server refuses (%s) says why: %s', async (name, text, refused) => {
    answer(OPTIONS, () => CREATION_OPTIONS);
    if (refused) answer(ADD, refused);
    await show();
    await create();
    await (refused ? authenticator.show() : authenticator.fail(name));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('of who has no password needs a new sign-in', async () => {
    answer(OPTIONS, () => problem(403, 'wrong-password'));
    await show([], { hasPassword: false });
    await create('');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Please log out and sign in again, and do this within 5 minutes.',
    );
  });

  it('is not offered to who has as many as an account can have, also where another device has added the last', async () => {
    const many = Array.from({ length: 19 }, (_, index) =>
      aPasskey({ id: `k${index}`, name: `Key ${index}` }),
    );
    answer(OPTIONS, () => {
      // Not before: the list may be read again at any time.
      gateway.on('GET /api/auth/passkeys', () => ({ items: [aPasskey(), ...many], nextCursor: null }));
      return problem(422, 'unprocessable');
    });
    await show(many);
    await create();
    const full = 'You have 20 passkeys, as many as an account can have. Remove one to add another.';
    expect(await screen.findByText(full)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Create passkey' })).toBeNull();
    gateway.on('DELETE /api/auth/passkeys/k0', () => new Response(null, { status: 204 }));
    await press('Remove Key 0');
    decide(true);
    expect(await screen.findByRole('button', { name: 'Add a passkey' })).toBeTruthy();
    expect(screen.queryByText(full)).toBeNull();
  });

  it('is not offered by a browser that has none', async () => {
    authenticator.remove();
    await show();
    expect(screen.getByText('This browser cannot make passkeys.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

// Rule: ACCT-43, UI-75
describe('the passkeys', () => {
  const PHONE = aPasskey({ backedUp: true, lastUsedAt: '2026-11-20T10:00:00.000Z' });
  const KEY = aPasskey({ id: 'p2', name: 'Blue key' });
  const entry = (index: number) => within(screen.getAllByRole('listitem')[index]!);

  it('are told with since when, when they were last used, and whether there are copies', async () => {
    await show([PHONE, KEY]);
    expect(passkeys()).toEqual([
      expect.stringMatching(/^PhoneSyncedAdded Nov 3, 2026 · Last used /),
      expect.stringMatching(/^Blue keyAdded Nov 3, 2026 · Never used/),
    ]);
  });

  it('are renamed in place', async () => {
    answer('PATCH /api/auth/passkeys/p2', () => ({ ...KEY, name: 'Red key' }));
    await show([PHONE, KEY]);
    await press('Rename Blue key');
    expect(document.activeElement).toBe(entry(1).getByLabelText('Name'));
    fill('Name', '');
    await press('Save name');
    expect(screen.getByText('Name is required')).toBeTruthy();
    fill('Name', ' Red key');
    await press('Save name');
    await waitFor(() => expect(passkeys()[1]).toMatch(/^Red key/));
    expect(sent).toEqual([['PATCH /api/auth/passkeys/p2', { name: 'Red key' }]]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename Red key' }));
  });

  it.each<[string, () => Response]>([
    ['as asked', () => new Response(null, { status: 204 })],
    ['and it had gone meanwhile', () => problem(404, 'not-found')],
  ])('are removed, after a question, %s', async (_how, response) => {
    gateway.on('DELETE /api/auth/passkeys/p1', response);
    await show([PHONE, KEY]);
    await press('Remove Phone');
    expect(getFeedback().question).toMatchObject({
      title: 'Remove this passkey?',
      message: 'Phone will not sign you in any more. Your device may go on offering it.',
      danger: true,
    });
    decide(false);
    await press('Remove Phone');
    decide(true);
    await waitFor(() => expect(passkeys()).toHaveLength(1));
    expect(toasts()).toEqual(['The passkey Phone is removed.']);
    // The pressed button is gone.
    expect(document.activeElement).toBe(screen.getByRole('listitem'));
  });

  it('stay as they are where that fails, which is told', async () => {
    gateway.on('PATCH /api/auth/passkeys/p1', () => problem(500, 'internal'));
    gateway.on('DELETE /api/auth/passkeys/p1', () => problem(500, 'internal'));
    await show([PHONE]);
    await press('Remove Phone');
    decide(true);
    await told('The passkey could not be removed. Please try again.');
    await press('Rename Phone');
    fill('Name', 'Old phone');
    await press('Save name');
    await told('The passkey could not be renamed. Please try again.');
    expect(passkeys()[0]).toMatch(/^Phone/);
  });

  it('that do not load say so, and can be asked for again', async () => {
    gateway.on('GET /api/auth/passkeys', () => problem(500, 'internal'));
    render(<PasskeyList me={aMe()} deviceName="" />, { wrapper: aPageAround().wrapper });
    expect(await screen.findByText('Your passkeys did not load.')).toBeTruthy();
    gateway.on('GET /api/auth/passkeys', () => ({ items: [KEY], nextCursor: null }));
    await userEvent.click(screen.getByRole('button'));
    expect(await screen.findByText('Blue key')).toBeTruthy();
  });
});
