import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import UnsubscribePage from '../../../pages/unsubscribe-page.js';

const TOKEN = `subscriptions.${'aB3_-'.repeat(4)}xy`;
const BAD_LINK = 'This link is not valid. It may have been cut off by your e-mail program.';

let gateway: FakeGateway;
let sent: (string | null)[];
beforeEach(() => {
  sent = [];
  gateway = fakeGateway();
  gateway.on('POST /unsubscribe', ({ url }) => {
    sent.push(new URL(url).searchParams.get('token'));
    return { emails: 'subscriptions' };
  });
});
afterEach(cleanup);

function visit(token: string) {
  const path = `/unsubscribe?token=${encodeURIComponent(token)}`;
  render(<UnsubscribePage />, { wrapper: aPageAround({ path }).wrapper });
}

const button = () => screen.queryByRole('button', { name: 'Unsubscribe' });
const press = () => userEvent.click(button()!);
const wayOn = () => screen.getByRole('link', { name: 'Go to your settings' });

// Rule: MAIL-6
describe('the page of an unsubscribe link', () => {
  it('says which mails it is about, and switches nothing off by itself', async () => {
    visit(TOKEN);
    expect(screen.getByText('E-mails about subscriptions: confirmations and new subscribers.')).toBeTruthy();
    expect(document.title).toBe('Unsubscribe from e-mails · Pulso');
    cleanup();
    visit(TOKEN.replace('subscriptions', 'security'));
    expect(screen.getByText('E-mails about security: sign-ins from new devices.')).toBeTruthy();
    expect(gateway.calls).toEqual([]);
  });

  it('switches them off by the button, and leads to the settings', async () => {
    visit(TOKEN);
    await press();
    const told = await screen.findByText('You will get no more of these e-mails.');
    expect(told.closest('[role=status]')).toBeTruthy();
    expect(sent).toEqual([TOKEN]);
    expect(button()).toBeNull();
    expect(wayOn().getAttribute('href')).toBe('/settings');
    expect(document.activeElement).toBe(screen.getByRole('heading'));
  });

  it.each(['', 'subscriptions', `welcome.${TOKEN.slice(14)}`, TOKEN.slice(0, -1), `${TOKEN}x`, `${TOKEN}\n`])(
    'says that a link is not valid, without asking: %j',
    (token) => {
      visit(token);
      expect(screen.getByRole('alert').textContent).toBe(BAD_LINK);
      expect(button()).toBeNull();
      expect(wayOn()).toBeTruthy();
    },
  );

  it('says so too where the server does not know the link', async () => {
    gateway.on('POST /unsubscribe', () => problem(400, 'invalid-action-code'));
    visit(TOKEN);
    await press();
    expect((await screen.findByRole('alert')).textContent).toBe(BAD_LINK);
    expect(button()).toBeNull();
  });

  it('can be tried again after a failure', async () => {
    gateway.on('POST /unsubscribe', () => problem(500, 'internal'));
    visit(TOKEN);
    await press();
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to unsubscribe. Please try again.');
    gateway.on('POST /unsubscribe', () => ({ emails: 'subscriptions' }));
    await press();
    expect(await screen.findByText('You will get no more of these e-mails.')).toBeTruthy();
  });
});
