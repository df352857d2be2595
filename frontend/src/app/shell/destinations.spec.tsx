import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { aMe } from '../../../test/a-post.js';
import { aPageAround } from '../../../test/render.js';
import { ShortcutsDialog } from '../../components/shortcuts/shortcuts-dialog.js';
import { PAGES } from '../pages.js';
import { BottomBar } from './bottom-bar.js';
import { DESTINATIONS, shortcutsOf } from './destinations.js';

afterEach(cleanup);

const around = () => ({ wrapper: aPageAround().wrapper });

// Rule: UI-1, UI-7
describe('each destination', () => {
  it.each(DESTINATIONS)('has a page for those who see it: $id', ({ to, audience }) => {
    const page = PAGES.find(({ path }) => path === to);
    // Feed is in the visitors' bar, too: it leads them to the login.
    // The dashboard tells members that it is for coaches (SUBS-29).
    const fittings = { everyone: ['everyone', 'members'], coaches: ['members'] } as const;
    const fitting: readonly string[] = audience in fittings ? fittings[audience as 'coaches'] : [audience];
    expect(fitting).toContain(page?.audience);
  });

  it.each(DESTINATIONS.filter(({ shortcut }) => shortcut))(
    'has a key only if it goes to something on that page: $id',
    ({ to, shortcut }) => expect(shortcut?.page).toBe(to),
  );
});

// Rule: UI-7, UI-49
describe('the destinations are in', () => {
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
    const links = within(bar).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/feed',
      '/coaches',
      '/messages',
      '/profile',
    ]);
  });

  it('the keys, also those of the list of keys; for visitors without the pages of members', () => {
    expect(shortcutsOf('member').map(({ key }) => key)).toEqual(['n', '/']);
    expect(shortcutsOf('guest').map(({ key }) => key)).toEqual(['/']);
    // Who is there is not known yet.
    expect(shortcutsOf(undefined)).toEqual([]);
    render(<ShortcutsDialog onClose={() => undefined} />, around());
    for (const { key } of shortcutsOf('member')) expect(screen.getByText(key)).toBeTruthy();
  });
});
