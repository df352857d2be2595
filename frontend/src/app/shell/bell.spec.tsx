import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { useShortcuts } from '../../components/shortcuts/use-shortcuts.js';
import { Bell } from './bell.js';

const like = jest.fn();

function Page() {
  useShortcuts({ l: like });
  return <Bell onOpen={() => undefined} />;
}

const media = globalThis.matchMedia;
beforeEach(() => {
  like.mockClear();
  fakeGateway().on('GET /api/notifications', () => ({ items: [], nextCursor: null }));
});
afterEach(() => {
  cleanup();
  globalThis.matchMedia = media;
});

// Rule: UI-36
it('on a phone Back closes the list of the bell, and the focus is on the bell', async () => {
  globalThis.matchMedia = (query) => ({ ...media(query), matches: true });
  const entries = history.length;
  render(<Page />, { wrapper: aPageAround().wrapper });
  await userEvent.click(screen.getByRole('button', { name: 'Notifications' }));
  await screen.findByText('No notifications');
  await waitFor(() => expect(history.length).toBe(entries + 1));
  history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Notifications' }));
});

// Rule: UI-45
it('keys do nothing while the list of the bell is open', async () => {
  render(<Page />, { wrapper: aPageAround().wrapper });
  await userEvent.keyboard('l');
  expect(like).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole('button', { name: 'Notifications' }));
  await screen.findByText('No notifications');
  await userEvent.keyboard('l');
  expect(like).toHaveBeenCalledTimes(1);
  await userEvent.keyboard('{Escape}l');
  expect(like).toHaveBeenCalledTimes(2);
});
