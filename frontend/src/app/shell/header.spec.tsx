import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aSession } from '../../../test/a-post.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { setBadges } from '../../server/live/badges.js';
import { session } from '../../server/session/session.js';
import { Header } from './header.js';
import { loadMembers } from './members-code.js';

const media = globalThis.matchMedia;
const onSearch = jest.fn();

beforeAll(loadMembers);
beforeEach(() => {
  fakeGateway().on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  act(() => session.signIn(aSession('token', { user: aMe({ name: 'Ben' }) })));
});
afterEach(async () => {
  globalThis.matchMedia = media;
  await act(() => session.signOut());
  cleanup();
});

async function open(screenIs: 'wide' | 'narrow') {
  const matches = (query: string) => screenIs === 'wide' && !query.includes('max-width');
  globalThis.matchMedia = (query) => ({ ...media(query), matches: matches(query) });
  render(<Header onShortcuts={() => undefined} onSearch={onSearch} />, { wrapper: aPageAround().wrapper });
  if (screenIs === 'narrow') await userEvent.click(screen.getByRole('button', { name: 'Open menu' }));
}

const links = () => {
  const bar = within(screen.getByRole('navigation', { name: 'Main' }));
  return bar.getAllByRole('link').map((link) => `${link.textContent} ${link.getAttribute('href')}`);
};

// Rule: UI-7
describe('the navigation bar', () => {
  it.each(['wide', 'narrow'] as const)(
    'has the logo and the visitors’ entries on a %s screen',
    async (width) => {
      act(() => session.forceSignOut());
      await open(width);
      expect(links()).toEqual(['Feed /feed', 'Coaches /coaches', 'Login /login', 'Sign Up /signup']);
      expect(screen.getByRole('link', { name: 'Pulso home' }).getAttribute('href')).toBe('/');
    },
  );

  it('has a menu for the signed-in on a wide screen', async () => {
    await open('wide');
    expect(links()).toEqual(['Feed /feed', 'Coaches /coaches', 'Messages /messages']);
    await userEvent.click(await screen.findByRole('button', { name: 'Account of Ben' }));
    expect(await screen.findByRole('menuitem', { name: 'Profile' })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: 'Subscriptions' })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: 'Settings' })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: 'Logout' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Theme/ })).toBeNull();
  });

  // Rule: NOTIF-7
  it.each(['wide', 'narrow'] as const)('shows on a %s screen how much is unread', async (width) => {
    await open(width);
    expect(screen.getByRole('button', { name: 'Notifications' })).toBeTruthy();
    act(() => setBadges({ notifications: 1, messages: 12 }));
    expect(screen.getByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Messages 12 unread' }).textContent).toContain('9+');
    act(() => setBadges({ notifications: 0, messages: 0 }));
    expect(screen.queryByText('9+')).toBeNull();
  });

  // Rule: UI-55
  it.each(['wide', 'narrow'] as const)('has the search on a %s screen, not for visitors', async (width) => {
    await open(width);
    await userEvent.click(screen.getByRole('button', { name: 'Search people' }));
    expect(onSearch).toHaveBeenCalledTimes(1);
    onSearch.mockClear();
    act(() => session.forceSignOut());
    expect(screen.queryByRole('button', { name: 'Search people' })).toBeNull();
  });

  // Rule: UI-10
  it('has the theme in the menu, which stays open to try the next one, and for visitors in the bar', async () => {
    await open('wide');
    await userEvent.click(await screen.findByRole('button', { name: 'Account of Ben' }));
    const theme = await screen.findByRole('menuitem', { name: /^Theme/ });
    const before = theme.textContent;
    await userEvent.click(theme);
    expect(screen.getByRole('menuitem', { name: /^Theme/ }).textContent).not.toBe(before);
    cleanup();
    act(() => session.forceSignOut());
    await open('wide');
    expect(screen.getByRole('button', { name: /^Theme/ })).toBeTruthy();
  });

  // Rule: UI-8
  it.each(['wide', 'narrow'] as const)('leads coaches to their dashboard on a %s screen', async (width) => {
    act(() => session.updateUser(aMe({ name: 'Ben', isCoach: true })));
    await open(width);
    expect(links()[3]).toBe('Dashboard /dashboard');
  });

  it('has the same entries on a narrow screen, and Escape closes them', async () => {
    await open('narrow');
    expect(links()).toEqual([
      'Feed /feed',
      'Coaches /coaches',
      'Messages /messages',
      'Profile /profile',
      'Subscriptions /subscriptions',
      'Settings /settings',
    ]);
    expect(screen.getByRole('button', { name: 'Logout' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  // Rule: UI-36
  it('has them closed by Back on a phone', async () => {
    await open('narrow');
    const button = screen.getByRole('button', { name: 'Close menu' });
    await userEvent.click(button);
    globalThis.matchMedia = (query) => ({ ...media(query), matches: query.includes('max-width') });
    const entries = history.length;
    await userEvent.click(button);
    await waitFor(() => expect(history.length).toBe(entries + 1));
    expect(screen.getByRole('navigation')).toBeTruthy();
    history.back();
    await waitFor(() => expect(screen.queryByRole('navigation')).toBeNull());
  });

  it('has them closed by a press elsewhere on a narrow screen, not by one on its own bar', async () => {
    await open('narrow');
    const header = screen.getByRole('banner');
    await userEvent.click(within(header).getByRole('button', { name: /^Theme/ }));
    expect(screen.queryByRole('navigation')).not.toBeNull();
    await userEvent.click(document.body);
    expect(screen.queryByRole('navigation')).toBeNull();
  });
});
