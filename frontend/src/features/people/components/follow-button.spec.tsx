import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { aProfile } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { FollowButton } from './follow-button.js';

beforeEach(() => void fakeGateway());
afterEach(cleanup);

// Rule: UI-46
it.each([
  { compact: false, following: false, name: 'Follow' },
  { compact: false, following: true, name: 'Following' },
  { compact: true, following: false, name: 'Follow Cleo' },
  { compact: true, following: true, name: 'Following Cleo' },
])('tells its state once, by its name: $name', ({ compact, following, name }) => {
  const { viewer } = aProfile();
  const profile = aProfile({ name: 'Cleo', viewer: { ...viewer!, following } });
  render(<FollowButton profile={profile} compact={compact} />, { wrapper: aPageAround().wrapper });
  expect(screen.getByRole('button', { name }).hasAttribute('aria-pressed')).toBe(false);
});
