import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPost } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { settle } from '../../../components/feedback/undoable.js';
import { PostMenu } from './post-menu.js';

afterEach(() => {
  cleanup();
  clearFeedback();
});

async function openMenu(permissions = aPost().permissions) {
  fakeGateway();
  const user = userEvent.setup();
  render(<PostMenu post={aPost({ permissions })} onEdit={() => undefined} />, {
    wrapper: aPageAround().wrapper,
  });
  await user.click(screen.getByRole('button', { name: 'Post menu' }));
  await screen.findByRole('menuitem', { name: 'Copy link' });
  return user;
}

const toasts = () => getFeedback().toasts.map(({ message }) => message);

// Rule: UI-19
describe('the menu of a post', () => {
  it('copies the link of the post’s own page', async () => {
    const user = await openMenu();
    const writeText = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(screen.getByRole('menuitem', { name: 'Copy link' }));
    await waitFor(() => expect(toasts()).toEqual(['Link copied to clipboard!']));
    expect(writeText.mock.calls).toEqual([[`${location.origin}/post/p1`]]);
  });

  it('says so when the browser refuses to copy', async () => {
    const user = await openMenu();
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
    await user.click(screen.getByRole('menuitem', { name: 'Copy link' }));
    await waitFor(() => expect(toasts()).toEqual(['Failed to copy link']));
  });

  describe('on a phone', () => {
    const shared: unknown[] = [];
    let answer: () => Promise<void>;
    beforeEach(() => {
      answer = () => Promise.resolve();
      const share = (data: unknown) => (shared.push(data), answer());
      Object.defineProperty(navigator, 'share', { value: share, configurable: true });
      const real = globalThis.matchMedia;
      jest
        .spyOn(globalThis, 'matchMedia')
        .mockImplementation((query) => ({ ...real(query), matches: query === '(pointer: coarse)' }));
    });
    afterEach(() => {
      Reflect.deleteProperty(navigator, 'share');
      jest.restoreAllMocks();
    });

    it('hands the link to the system’s share sheet', async () => {
      const user = await openMenu();
      await user.click(screen.getByRole('menuitem', { name: 'Share' }));
      expect(shared).toEqual([{ url: `${location.origin}/post/p1` }]);
      expect(toasts()).toEqual([]);
    });

    it.each([
      ['AbortError', []],
      ['NotAllowedError', ['This could not be shared.']],
    ])('says what came of %s', async (name, told) => {
      answer = () => Promise.reject(new DOMException('', name));
      const user = await openMenu();
      await user.click(screen.getByRole('menuitem', { name: 'Share' }));
      await waitFor(() => expect(toasts()).toEqual(told));
    });
  });

  it('lets the author alone edit and delete', async () => {
    await openMenu({ edit: true, delete: true, like: true, comment: true });
    const entries = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(entries).toEqual(['Copy link', 'View full conversation', 'Edit post', 'Delete post']);
  });

  // Rule: UI-33
  it('tells that a deletion failed, which may be much later, in a notice', async () => {
    const user = await openMenu({ edit: true, delete: true, like: true, comment: true });
    fakeGateway().on('DELETE /api/posts/p1', () => problem(500, 'internal'));
    await user.click(screen.getByRole('menuitem', { name: 'Delete post' }));
    await settle();
    expect(toasts()).toEqual(['Failed to delete post. Please try again.']);
    expect(getFeedback().dialogs).toEqual([]);
  });
});
