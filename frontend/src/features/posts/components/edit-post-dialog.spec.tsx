import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPost, aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Post } from '../../../api/types.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { EditPostDialog } from './edit-post-dialog.js';

let gateway: FakeGateway;
let sent: unknown[];
beforeEach(() => {
  gateway = fakeGateway();
  sent = [];
  gateway.on('PATCH /api/posts/p1', async (request) => {
    sent.push(await request.json());
    return aPost();
  });
});
afterEach(() => {
  cleanup();
  clearFeedback();
  session.forceSignOut();
});

function open(post: Post) {
  const onClose = jest.fn();
  const onReopen = jest.fn();
  const { queryClient, wrapper } = aPageAround();
  const view = render(<EditPostDialog post={post} onClose={onClose} onReopen={onReopen} />, { wrapper });
  return {
    onClose,
    onReopen,
    view,
    queryClient,
    content: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Content' }),
  };
}

// Rule: UI-22
describe('the edit dialog', () => {
  it('opens with the post’s content and the focus in it', () => {
    const { content } = open(aPost({ content: 'before' }));
    expect(content.value).toBe('before');
    expect(document.activeElement).toBe(content);
  });

  it.each([{ ctrlKey: true }, { metaKey: true }])('saves by Enter with %j', async (modifier) => {
    const { content, onClose } = open(aPost({ content: 'before' }));
    await userEvent.clear(content);
    await userEvent.type(content, ' after ');
    fireEvent.keyDown(content, { key: 'Enter', ...modifier });
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ content: 'after' }]);
  });

  it('does not save nothing', async () => {
    const { content, onClose } = open(aPost({ content: 'before' }));
    await userEvent.clear(content);
    fireEvent.keyDown(content, { key: 'Enter', ctrlKey: true });
    expect(screen.getByText('Post must have content or at least one image')).toBeTruthy();
    expect(document.activeElement).toBe(content);
    expect(onClose).not.toHaveBeenCalled();
    expect(gateway.calls).toEqual([]);
  });

  it('closes by Escape and starts afresh when opened again', async () => {
    const first = open(aPost({ content: 'before' }));
    await userEvent.type(first.content, ' and more');
    screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }));
    expect(first.onClose).toHaveBeenCalledTimes(1);
    first.view.unmount();
    expect(open(aPost({ content: 'before' })).content.value).toBe('before');
  });

  // Rule: UI-41
  it('has what was typed again after Undo, and when the page went away with it', async () => {
    act(() => session.signIn(aSession('token')));
    const first = open(aPost({ content: 'before' }));
    await userEvent.type(first.content, ' and more');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    first.view.unmount();
    const [discarded] = getFeedback().toasts;
    expect(discarded?.message).toBe('Changes discarded');
    discarded?.action?.run();
    expect(first.onReopen).toHaveBeenCalledTimes(1);

    const second = open(aPost({ content: 'before' }));
    expect(second.content.value).toBe('before and more');
    await userEvent.type(second.content, ' still');
    act(() => session.forceSignOut());
    second.view.unmount();
    act(() => session.signIn(aSession('token')));
    const third = open(aPost({ content: 'before' }));
    expect(third.content.value).toBe('before and more still');
    fireEvent.keyDown(third.content, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(third.onClose).toHaveBeenCalledTimes(1));
    third.view.unmount();
    expect(open(aPost({ content: 'after' })).content.value).toBe('after');
  });

  // Rule: UI-56
  it('takes the Undo of what was discarded away when something else is typed or saved', async () => {
    const discard = async () => {
      const { content, view } = open(aPost({ content: 'before' }));
      await userEvent.type(content, ' and more');
      await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
      view.unmount();
      expect(getFeedback().toasts).toMatchObject([{ message: 'Changes discarded' }]);
    };
    await discard();
    const typed = open(aPost({ content: 'before' }));
    await userEvent.type(typed.content, '!');
    expect(getFeedback().toasts).toEqual([]);
    typed.view.unmount();

    await discard();
    const saved = open(aPost({ content: 'before' }));
    fireEvent.keyDown(saved.content, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(saved.onClose).toHaveBeenCalledTimes(1));
    expect(getFeedback().toasts).toMatchObject([{ message: 'Post updated successfully!' }]);
  });

  it('of a post that is gone says so, and the post leaves the lists', async () => {
    gateway.on('PATCH /api/posts/p1', () => problem(404, 'not-found'));
    const { content, onClose, queryClient } = open(aPost());
    queryClient.setQueryData(queryKeys.pinnedPosts, [aPost(), aPost({ id: 'p2' })]);
    fireEvent.keyDown(content, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(queryClient.getQueryData(queryKeys.pinnedPosts)).toEqual([aPost({ id: 'p2' })]);
    expect(getFeedback().toasts).toMatchObject([{ message: 'Post not found' }]);
    expect(getFeedback().dialogs).toEqual([]);
  });

  // Rule: UI-22, UI-33
  it('stays with its text when saving fails, says so in itself, and what is typed meanwhile arrives', async () => {
    gateway.on('PATCH /api/posts/p1', () => problem(500, 'internal'));
    const { content, onClose } = open(aPost({ content: 'before' }));
    fireEvent.keyDown(content, { key: 'Enter', ctrlKey: true });
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Failed to update post. Please try again.',
    );
    await userEvent.keyboard(' and more');
    expect(content.value).toBe('before and more');
    expect(getFeedback()).toMatchObject({ dialogs: [], toasts: [] });
    expect(onClose).not.toHaveBeenCalled();
  });

  // Rule: UI-33
  it('that was closed before saving failed has it told in a notice', async () => {
    let answer: ((response: Response) => void) | undefined;
    gateway.on('PATCH /api/posts/p1', () => new Promise<Response>((resolve) => (answer = resolve)));
    const { content, view } = open(aPost());
    fireEvent.keyDown(content, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(answer).toBeDefined());
    view.unmount();
    answer?.(problem(500, 'internal'));
    await waitFor(() =>
      expect(getFeedback().toasts).toMatchObject([{ message: 'Failed to update post. Please try again.' }]),
    );
    expect(getFeedback().dialogs).toEqual([]);
  });

  it('offers the visibility to coaches only', async () => {
    open(aPost());
    expect(screen.queryByRole('radio', { name: 'Subscribers only' })).toBeNull();
    cleanup();
    const post = aPost({ author: { ...aPost().author, isCoach: true } });
    const { content, onClose } = open(post);
    await userEvent.click(screen.getByRole('radio', { name: 'Subscribers only' }));
    fireEvent.keyDown(content, { key: 'Enter', ctrlKey: true });
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ visibility: 'subscribers' }]);
  });
});
