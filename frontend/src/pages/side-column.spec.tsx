import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aProfile, aSession } from '../../test/a-post.js';
import { fakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';
import { session } from '../session/session.js';
import { SideColumn } from './side-column.js';

const seen = aProfile().viewer!;
const coach = (id: string, over: Partial<typeof seen> = {}) =>
  aProfile({ id, name: id, username: id, viewer: { ...seen, ...over } });

let items: ReturnType<typeof coach>[];
beforeEach(() => {
  items = [coach('a', { following: true }), coach('ben'), coach('c'), coach('d'), coach('e'), coach('f')];
  const gateway = fakeGateway();
  gateway.on('GET /api/coaches', () => ({ items: [coach('best')], nextCursor: null }));
  gateway.on('GET /api/coaches/suggested', () => ({ items }));
  gateway.on('GET /api/me', () => aMe());
  gateway.on('PUT /api/users/c/follow', () => ({ following: true, followerCount: 1 }));
  gateway.on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
});
afterEach(async () => {
  await act(() => session.signOut());
  cleanup();
});

// Rule: UI-50
describe('the side column', () => {
  it('suggests three coaches: not the viewer, and none whom they follow; a followed one stays', async () => {
    act(() => session.signIn(aSession('token', { user: aMe({ isCoach: true }) })));
    render(<SideColumn />, { wrapper: aPageAround().wrapper });
    const list = await screen.findByRole('region', { name: 'Coaches to follow' });
    const names = () =>
      within(list)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label'));
    expect(names()).toEqual(['Follow c', 'Follow d', 'Follow e']);
    await userEvent.click(within(list).getByRole('button', { name: 'Follow c' }));
    expect(names()).toEqual(['Following c', 'Follow d', 'Follow e']);
  });

  it.each(['/C', '/coaches/c', '/profile/c'])(
    'does not suggest the coach whose page is open at %s',
    async (path) => {
      act(() => session.signIn(aSession('token', { user: aMe({ isCoach: true }) })));
      render(<SideColumn />, { wrapper: aPageAround({ path }).wrapper });
      const list = await screen.findByRole('region', { name: 'Coaches to follow' });
      const names = within(list).getAllByRole('button');
      expect(names.map((button) => button.getAttribute('aria-label'))).toEqual([
        'Follow d',
        'Follow e',
        'Follow f',
      ]);
    },
  );

  it('says nothing about coaches when there is nobody to follow', async () => {
    items = [coach('a', { following: true })];
    act(() => session.signIn(aSession('token', { user: aMe() })));
    const { queryClient, wrapper } = aPageAround();
    render(<SideColumn />, { wrapper });
    await act(() => queryClient.refetchQueries());
    expect(screen.queryByRole('region', { name: 'Coaches to follow' })).toBeNull();
    expect(screen.getByRole('region', { name: 'Ben' })).toBeTruthy();
  });

  it('invites visitors', async () => {
    act(() => session.forceSignOut());
    render(<SideColumn />, { wrapper: aPageAround().wrapper });
    const card = screen.getByRole('region', { name: 'New to Pulso?' });
    expect(within(card).getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe('/signup');
    const list = await screen.findByRole('region', { name: 'Coaches to follow' });
    expect(within(list).getByRole('link', { name: /best/ })).toBeTruthy();
  });
});
