import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { aPageAround } from '../../test/render.js';
import { PersonNames } from './person-names.js';

afterEach(cleanup);

const show = (name: string, username: string | null) =>
  render(<PersonNames user={{ id: 'ana', username, isCoach: false }} name={name} />, {
    wrapper: aPageAround().wrapper,
  });

// Rule: UI-9
it('beside a name stands the handle, and each has its own direction', () => {
  show('דוד @cora-lind', 'ana');
  const handle = screen.getByText('@ana');
  expect(handle.dir).toBe('ltr');
  expect(screen.getByRole('link').getAttribute('href')).toBe('/ana');
  expect(screen.getByText('דוד @cora-lind').dir).toBe('auto');
});

it('somebody who is gone has none', () => {
  show('Deleted user', null);
  expect(screen.queryByText(/@/)).toBeNull();
});
