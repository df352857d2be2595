import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { aPageAround } from '../../../test/render.js';
import { ShortcutsDialog } from './shortcuts-dialog.js';

afterEach(cleanup);

// Rule: UI-45
it('the list of shortcuts tells all that Ctrl+Enter sends', () => {
  render(<ShortcutsDialog onClose={() => undefined} />, { wrapper: aPageAround().wrapper });
  const keys = screen.getByText('Ctrl/⌘ + Enter').closest('dd');
  expect(keys?.previousElementSibling?.textContent).toBe('Post, comment, save an edit');
});
