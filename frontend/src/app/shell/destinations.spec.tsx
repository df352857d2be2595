import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aSession } from '../../../test/a-post.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { ShortcutsDialog } from '../../components/shortcuts/shortcuts-dialog.js';
import { texts } from '../../i18n/texts.js';
import { session } from '../../session/session.js';
import { PAGES } from '../pages.js';
import { BottomBar } from './bottom-bar.js';
import { DESTINATIONS, destinationsAt, shortcutsOf } from './destinations.js';
import type { Viewer } from './destinations.js';
import { Header } from './header.js';
import { loadMembers } from './members-code.js';

const { nav } = texts.en;
const media = globalThis.matchMedia;

beforeAll(loadMembers);
beforeEach(() => {
  fakeGateway().on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
});
afterEach(async () => {
  globalThis.matchMedia = media;
  await act(() => session.signOut());
  cleanup();
});

const around = () => ({ wrapper: aPageAround().wrapper });

function showHeader(viewer: Viewer, width: 'wide' | 'narrow') {
  act(() => {
    session.signIn(aSession('token', { user: aMe({ name: 'Ben' }) }));
    if (viewer === 'guest') session.forceSignOut();
  });
  globalThis.matchMedia = (query) => ({ ...media(query), matches: width === 'wide' });
  render(<Header onShortcuts={() => undefined} onSearch={() => undefined} />, around());
}

const linksOf = (name: string) =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

const asWords = (place: 'header' | 'panel', viewer: Viewer) =>
  destinationsAt(place, viewer).map(({ text, to }) => [nav[text], to]);

// Rule: UI-1, UI-7
describe('each destination', () => {
  it.each(DESTINATIONS)('has a page for those who see it: $id', ({ to, audience }) => {
    const page = PAGES.find(({ path }) => path === to);
    // Feed is in the visitors' bar, too: it leads them to the login.
    const fitting = audience === 'everyone' ? ['everyone', 'members'] : [audience];
    expect(fitting).toContain(page?.audience);
  });

  it.each(DESTINATIONS)('has a key only if it goes to something on that page: $id', ({ to, shortcut }) => {
    expect(shortcut?.page ?? to).toBe(to);
  });
});

// Rule: UI-7, UI-49
describe('the destinations are in', () => {
  it.each(['guest', 'member'] as const)('the bar of a %s', (viewer) => {
    showHeader(viewer, 'wide');
    expect(linksOf('Main')).toEqual(asWords('header', viewer));
  });

  it.each(['guest', 'member'] as const)('the panel of a %s', async (viewer) => {
    showHeader(viewer, 'narrow');
    await userEvent.click(screen.getByRole('button', { name: 'Open menu' }));
    expect(linksOf('Main')).toEqual(asWords('panel', viewer));
  });

  it('the bar at the bottom, with New post between them', () => {
    render(<BottomBar viewer={aMe()} />, around());
    const bar = screen.getByRole('navigation', { name: 'Quick access' });
    expect([...bar.children].map(({ textContent }) => textContent)).toEqual([
      'Feed',
      'Coaches',
      'New post',
      'Messages',
      'Me',
    ]);
    expect(linksOf('Quick access').map(([, href]) => href)).toEqual(
      destinationsAt('bottom', 'member').map(({ to }) => to),
    );
  });

  it('the user’s menu', async () => {
    showHeader('member', 'wide');
    await userEvent.click(screen.getByRole('button', { name: 'Account of Ben' }));
    for (const { text } of destinationsAt('userMenu', 'member'))
      expect(await screen.findByRole('menuitem', { name: nav[text] })).toBeTruthy();
  });

  it('the keys, also those of the list of keys; for visitors without the pages of members', () => {
    expect(shortcutsOf('member').map(({ key }) => key)).toEqual(['n', '/']);
    expect(shortcutsOf('guest').map(({ key }) => key)).toEqual(['/']);
    render(<ShortcutsDialog onClose={() => undefined} />, around());
    for (const { key } of shortcutsOf('member')) expect(screen.getByText(key)).toBeTruthy();
  });
});
