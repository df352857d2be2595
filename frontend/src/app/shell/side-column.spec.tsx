import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aProfile, aSession, withoutFigures } from '../../../test/a-post.js';
import { type FakeGateway, fakeGateway, problem } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { session } from '../../server/session/session.js';
import { SideColumn } from './side-column.js';

const seen = aProfile().viewer!;
const coach = (id: string, over: Partial<typeof seen> = {}) =>
  aProfile({ id, name: id, username: id, viewer: { ...seen, ...over } });

let items: ReturnType<typeof coach>[];
let gateway: FakeGateway;
beforeEach(() => {
  items = [coach('a', { following: true }), coach('ben'), coach('c'), coach('d'), coach('e'), coach('f')];
  gateway = fakeGateway();
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

  // Rule: PEOPLE-2, HTTP-37
  it('has grey shapes for the viewer’s figures until they are read, and dashes only where they cannot be', async () => {
    let answer: (me: unknown) => void = () => undefined;
    gateway.on('GET /api/me', () => new Promise((resolve) => (answer = resolve)));
    act(() => session.signIn(aSession('token', { user: withoutFigures(aMe()) })));
    const { queryClient, wrapper } = aPageAround();
    render(<SideColumn />, { wrapper });
    const card = screen.getByRole('region', { name: 'Ben' });
    const figures = () => within(card).getAllByRole('definition');
    const texts = () => figures().map(({ textContent }) => textContent);
    await waitFor(() => expect(gateway.calls).toContain('GET /api/me'));
    expect(texts()).toEqual(['', '', '']);
    expect(within(card).getAllByRole('img', { name: 'Loading' })).toHaveLength(3);
    const stats = { ...aMe().stats, posts: 3, followers: null, following: 5 };
    await act(async () => answer(aMe({ stats })));
    await waitFor(() => expect(texts()).toEqual(['3', '–', '5']));
    gateway.on('GET /api/me', () => problem(503, 'unavailable'));
    act(() => session.signIn(aSession('token', { user: withoutFigures(aMe({ id: 'zoe', name: 'Ben' })) })));
    await act(() => queryClient.resetQueries());
    await waitFor(() => expect(texts()).toEqual(['–', '–', '–']));
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
