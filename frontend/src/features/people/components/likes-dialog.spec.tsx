import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Person } from '../../../api/types.js';
import { session } from '../../../server/session/session.js';
import { LikesDialog } from './likes-dialog.js';

const aPerson = (name: string, viewer: Person['viewer']): Person => ({
  id: name.toLowerCase(),
  name,
  username: name.toLowerCase(),
  profileImage: '/api/avatars/a.svg',
  isCoach: false,
  viewer,
});

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => {
  cleanup();
  session.forceSignOut();
});

const open = () =>
  render(<LikesDialog postId="p1" returnFocusTo={() => null} onClose={() => undefined} />, {
    wrapper: aPageAround().wrapper,
  });
const answer = (...items: Person[]) =>
  gateway.on('GET /api/posts/p1/likes', () => ({ items, nextCursor: null }));
const buttons = () =>
  screen.getAllByRole('listitem').map((item) => within(item).queryByRole('button')?.textContent);

// Rule: POST-16
describe('who likes a post', () => {
  it('is listed with Follow, but not beside oneself nor where it is not known who is followed', async () => {
    act(() => session.signIn(aSession('token')));
    answer(
      aPerson('Ana', { isSelf: false, following: false }),
      aPerson('Ben', { isSelf: true, following: false }),
      aPerson('Cleo', { isSelf: false, following: true }),
      aPerson('Dora', { isSelf: false, following: null }),
    );
    open();
    expect(await screen.findByRole('dialog', { name: 'Likes' })).toBeTruthy();
    await screen.findByRole('link', { name: /Ana/ });
    expect(buttons()).toEqual(['Follow', undefined, 'Following', undefined]);
    expect(screen.getByRole('link', { name: /Cleo/ }).getAttribute('href')).toBe('/cleo');
  });

  it('can be followed there: the press shows at once, and is taken back when it fails', async () => {
    act(() => session.signIn(aSession('token')));
    answer(aPerson('Ana', { isSelf: false, following: false }));
    let refuse = () => {};
    gateway.on(
      'PUT /api/users/ana/follow',
      () => new Promise((resolve) => (refuse = () => resolve(problem(500, 'internal')))),
    );
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Follow Ana' }));
    expect(await screen.findByRole('button', { name: 'Following Ana' })).toBeTruthy();
    await waitFor(() => expect(gateway.calls).toContain('PUT /api/users/ana/follow'));
    refuse();
    expect(await screen.findByRole('button', { name: 'Follow Ana' })).toBeTruthy();
  });

  it('is listed without Follow for visitors', async () => {
    answer(aPerson('Ana', null));
    open();
    await screen.findByRole('link', { name: /Ana/ });
    expect(buttons()).toEqual([undefined]);
  });

  it('may be nobody who is shown, and can be asked for again when it did not load', async () => {
    answer();
    open();
    expect(await screen.findByText('No likes to show.')).toBeTruthy();
    cleanup();
    gateway.on('GET /api/posts/p1/likes', () => problem(500, 'internal'));
    open();
    const retry = await screen.findByRole('button', { name: 'Try again' });
    answer(aPerson('Ana', null));
    await userEvent.click(retry);
    expect(await screen.findByRole('link', { name: /Ana/ })).toBeTruthy();
  });
});
