import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPost } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
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
    await user.click(screen.getByRole('menuitem', { name: 'Copy link' }));
    await waitFor(() => expect(toasts()).toEqual(['Link copied to clipboard!']));
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/post/p1`);
  });

  it('says so when the browser refuses to copy', async () => {
    const user = await openMenu();
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
    await user.click(screen.getByRole('menuitem', { name: 'Copy link' }));
    await waitFor(() => expect(toasts()).toEqual(['Failed to copy link']));
  });

  it('lets the author alone edit and delete', async () => {
    await openMenu({ edit: true, delete: true, like: true, comment: true });
    const entries = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(entries).toEqual(['Copy link', 'View full conversation', 'Edit post', 'Delete post']);
  });
});
