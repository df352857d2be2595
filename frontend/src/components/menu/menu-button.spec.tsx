import { afterEach, describe, expect, it } from '@jest/globals';
import { IconLink } from '@tabler/icons-react';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPageAround } from '../../../test/render.js';
import { DotsMenu } from './dots-menu.js';

afterEach(cleanup);

function show(run: () => void = () => undefined) {
  const entries = () => [{ label: 'Copy link', Icon: IconLink, run }];
  render(<DotsMenu label="Post menu" entries={entries} />, { wrapper: aPageAround().wrapper });
  return screen.getByRole('button', { name: 'Post menu' });
}

// Rule: UI-19
describe('a button with a menu', () => {
  it('says that it opens a menu before the menu’s code is there', () => {
    const button = show();
    expect(button.getAttribute('aria-haspopup')).toBe('menu');
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });

  it('opens by keyboard, and has the focus again after Escape', async () => {
    const user = userEvent.setup();
    show();
    await user.tab();
    await user.keyboard('{Enter}');
    const entry = await screen.findByRole('menuitem', { name: 'Copy link' });
    await waitFor(() => expect(screen.getByRole('menu').contains(document.activeElement)).toBe(true));
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(entry);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Post menu' })),
    );
  });

  it('runs an entry once, also when it was pressed twice before the menu was there', async () => {
    const user = userEvent.setup();
    let runs = 0;
    const button = show(() => (runs += 1));
    await Promise.all([user.click(button), user.click(button)]);
    await user.click(await screen.findByRole('menuitem', { name: 'Copy link' }));
    expect(runs).toBe(1);
  });
});
