import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aFile } from '../../../../test/a-file.js';
import { allInView } from '../../../../test/all-in-view.js';
import { aPost, aSession } from '../../../../test/a-post.js';
import { aVideo } from '../../../../test/a-video.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { keepEdit } from '../drafts.js';
import { EditPostDialog } from './edit-post-dialog.js';

let sent: unknown[];
allInView();
beforeEach(() => {
  sent = [];
  const gateway = fakeGateway();
  act(() => session.signIn(aSession('token')));
  gateway.on('PATCH /api/posts/p1', async (request) => {
    sent.push(await request.json());
    return aPost();
  });
});
afterEach(() => {
  cleanup();
  act(() => keepEdit('ben', 'p1', undefined));
  clearFeedback();
  session.forceSignOut();
});

const open = async (content: string) => {
  const onClose = jest.fn();
  const post = aPost({ content, video: aVideo(), hasVideo: true });
  render(<EditPostDialog post={post} onClose={onClose} onReopen={jest.fn()} />, {
    wrapper: aPageAround().wrapper,
  });
  await screen.findByLabelText('Video by Ana');
  return onClose;
};
const remove = () => userEvent.click(screen.getByRole('button', { name: 'Remove video' }));
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save changes' }));

// Rule: UI-66, POST-5
describe('the edit dialog of a post with a video', () => {
  it('shows it, and lets it be removed but not replaced', async () => {
    const onClose = await open('before');
    expect(
      screen.getByText('A video cannot be replaced. Remove it, or delete the post and publish again.'),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Video' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Photo' })).toBeNull();
    await remove();
    expect(screen.queryByLabelText('Video by Ana')).toBeNull();
    expect(screen.getByRole('button', { name: 'Photo' })).toBeTruthy();
    await save();
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ video: null }]);
  });

  it('counts it as content, and sends nothing of it while it stays', async () => {
    const onClose = await open('before');
    await userEvent.clear(screen.getByRole('textbox', { name: 'Content' }));
    await save();
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ content: '' }]);
  });

  it('needs a text once it is removed', async () => {
    await open('');
    await remove();
    await save();
    expect(screen.getByText('Post must have content or at least one image')).toBeTruthy();
    expect(sent).toEqual([]);
  });

  // Rule: POST-2
  it('takes no photos beside it', async () => {
    await open('before');
    fireEvent.drop(screen.getByRole('textbox', { name: 'Content' }), {
      dataTransfer: { types: ['Files'], files: [aFile()] },
    });
    expect(getFeedback().toasts).toMatchObject([{ message: 'A post has photos or a video.' }]);
    expect(screen.queryByRole('region', { name: 'Photos' })).toBeNull();
  });
});
