import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aSession } from '../../../test/a-post.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { session } from '../../session/session.js';
import { Header } from './header.js';

const media = globalThis.matchMedia;

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
  globalThis.matchMedia = (query) => ({ ...media(query), matches: screenIs === 'wide' });
  render(<Header onShortcuts={() => undefined} />, { wrapper: aPageAround().wrapper });
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
    expect(links()).toEqual(['Feed /feed', 'Coaches /coaches']);
    await userEvent.click(await screen.findByRole('button', { name: 'Account of Ben' }));
    expect(await screen.findByRole('menuitem', { name: 'Profile' })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: 'Logout' })).toBeTruthy();
  });

  it('has the same entries on a narrow screen, and Escape closes them', async () => {
    await open('narrow');
    expect(links()).toEqual(['Feed /feed', 'Coaches /coaches', 'Profile /profile']);
    expect(screen.getByRole('button', { name: 'Logout' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('navigation')).toBeNull();
  });
});
