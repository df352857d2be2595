import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { aSession } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { session } from '../../../server/session/session.js';
import { UserNotFound } from './user-not-found.js';

afterEach(() => {
  act(() => session.forceSignOut());
  cleanup();
});

// Rule: UI-6
it('where nobody is, members are led to the feed, and visitors, who have none, to the home page', () => {
  fakeGateway();
  const way = () => {
    const link = screen.getByRole('link');
    return [link.textContent, link.getAttribute('href')];
  };
  act(() => session.forceSignOut());
  render(<UserNotFound />, { wrapper: aPageAround().wrapper });
  expect(way()).toEqual(['Go to the home page', '/']);
  act(() => session.signIn(aSession('token')));
  expect(way()).toEqual(['Back to Feed', '/feed']);
});
