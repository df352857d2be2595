import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aFile } from '../../../../test/a-file.js';
import { aPost, aSession } from '../../../../test/a-post.js';
import { anImage } from '../../../../test/an-image.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakePictures } from '../../../../test/fake-pictures.js';
import type { FakePictures } from '../../../../test/fake-pictures.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Post } from '../../../api/types.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { keepEdit, keptEdit } from '../drafts.js';
import { EditPostDialog } from './edit-post-dialog.js';

const withPhotos = (...ids: string[]): Post =>
  aPost({ content: 'before', images: ids.map((id) => anImage({ id })), imageCount: ids.length });
const choice = (id: string, over = {}) => ({ id, alt: '', caption: '', ...over });

let gateway: FakeGateway;
let pictures: FakePictures;
let sent: unknown[];
beforeEach(() => {
  sent = [];
  gateway = fakeGateway();
  pictures = fakePictures();
  act(() => session.signIn(aSession('token')));
  gateway.on('POST /api/media/images', () => anImage({ id: 'new' }));
  gateway.on('GET /api/media/new', () => anImage({ id: 'new', thumbnail: '/fresh' }));
  gateway.on('DELETE /api/media/new', () => new Response(null, { status: 204 }));
  saving(() => aPost());
});
afterEach(() => {
  cleanup();
  pictures.restore();
  act(() => keepEdit('ben', 'p1', undefined));
  clearFeedback();
  session.forceSignOut();
  sessionStorage.clear();
});

function saving(answer: () => unknown): void {
  gateway.on('PATCH /api/posts/p1', async (request) => {
    sent.push(await request.json());
    return answer();
  });
}

function open(post: Post) {
  const onClose = jest.fn();
  const onReopen = jest.fn();
  const { queryClient, wrapper } = aPageAround();
  const view = render(<EditPostDialog post={post} onClose={onClose} onReopen={onReopen} />, { wrapper });
  return { onClose, onReopen, queryClient, view };
}

const content = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Content' });
const tiles = () => screen.queryAllByRole('button', { name: /^Photo \d/ }).length;
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
const add = async (...files: File[]) => {
  fireEvent.drop(content(), { dataTransfer: { types: ['Files'], files } });
  await waitFor(() => expect(screen.queryByText('Processing images...')).toBeNull());
};
const deletions = () => gateway.calls.filter((call) => call.startsWith('DELETE'));

// Rule: UI-23, POST-5
describe('the edit dialog with photos', () => {
  it('opens with them, and sends the whole new list alone', async () => {
    const { onClose, queryClient } = open(withPhotos('a', 'b'));
    queryClient.setQueryData(queryKeys.storage, { quotaBytes: 1, bytesUsed: 1 });
    expect(tiles()).toBe(2);
    await userEvent.click(screen.getByRole('button', { name: 'Remove photo 1' }));
    await add(aFile());
    await userEvent.click(screen.getByRole('button', { name: 'Alt text and caption of photo 2' }));
    await userEvent.type(screen.getByLabelText('Alt text'), ' Dawn ');
    await save();
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ images: [choice('b'), choice('new', { alt: 'Dawn' })] }]);
    expect(deletions()).toEqual([]);
    expect(queryClient.getQueryState(queryKeys.storage)?.isInvalidated).toBe(true);
    await waitFor(() => expect(keptEdit('ben', 'p1')).toBeUndefined());
  });

  it('sends nothing of what is as it was', async () => {
    const { onClose } = open(withPhotos('a', 'b'));
    await userEvent.type(content(), '!');
    await save();
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ content: 'before!' }]);
  });

  it('needs a text or a photo', async () => {
    const { onClose } = open(withPhotos('a'));
    await userEvent.clear(content());
    await userEvent.click(screen.getByRole('button', { name: 'Remove photo 1' }));
    await save();
    expect(screen.getByText('Post must have content or at least one image')).toBeTruthy();
    expect(sent).toEqual([]);
    await add(aFile());
    expect(screen.queryByText('Post must have content or at least one image')).toBeNull();
    await save();
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([{ content: '', images: [choice('new')] }]);
  });

  it('is not saved while a photo is under way', async () => {
    const answers: ((answer: unknown) => void)[] = [];
    gateway.on('POST /api/media/images', () => new Promise((resolve) => answers.push(resolve)));
    open(withPhotos('a'));
    fireEvent.drop(content(), { dataTransfer: { types: ['Files'], files: [aFile()] } });
    await waitFor(() => expect(answers).toHaveLength(1));
    fireEvent.keyDown(content(), { key: 'Enter', ctrlKey: true });
    await save();
    expect(sent).toEqual([]);
    await act(async () => answers[0]!(anImage({ id: 'new' })));
    await save();
    await waitFor(() => expect(sent).toEqual([{ images: [choice('a'), choice('new')] }]));
  });

  it('opens the panel of a post without photos by Photo', async () => {
    open(aPost());
    expect(screen.queryByRole('button', { name: /Choose photos/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Photo' }));
    expect(screen.getByRole('button', { name: /Choose photos/ })).toBeTruthy();
  });

  it('says how many there are when one too many is chosen', async () => {
    open(withPhotos(...Array.from({ length: 10 }, (_, index) => `p${index}`)));
    await add(aFile());
    expect(
      screen.getByText('Too many images. Maximum 10 images allowed. You currently have 10.'),
    ).toBeTruthy();
  });

  // Rule: MEDIA-17
  it('stays with all of it when saving fails, and marks a photo that has expired', async () => {
    saving(() => problem(422, 'media-not-attachable'));
    const { onClose } = open(withPhotos('a'));
    await add(aFile());
    gateway.on('GET /api/media/new', () => problem(404, 'not-found'));
    await save();
    await screen.findByText('Photo 2 is no longer available. Please remove it and choose it again.');
    expect(screen.getByText('Failed to update post. Please try again.')).toBeTruthy();
    expect({ tiles: tiles(), closed: onClose.mock.calls.length }).toEqual({ tiles: 2, closed: 0 });
  });
});

// Rule: UI-22, UI-56
describe('an edit with photos that is discarded', () => {
  const discard = async () => {
    const { view, onReopen } = open(withPhotos('a', 'b'));
    await userEvent.click(screen.getByRole('button', { name: 'Remove photo 1' }));
    await add(aFile());
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    view.unmount();
    expect(getFeedback().toasts).toMatchObject([{ message: 'Changes discarded' }]);
    expect({ deletions: deletions(), sent }).toEqual({ deletions: [], sent: [] });
    return onReopen;
  };

  it('is there again after Undo, with fresh addresses', async () => {
    const onReopen = await discard();
    getFeedback().toasts[0]!.action!.run();
    act(clearFeedback);
    expect(onReopen).toHaveBeenCalledTimes(1);
    open(withPhotos('a', 'b'));
    expect(tiles()).toBe(2);
    const added = screen.getByRole('button', { name: 'Photo 2 of 2' });
    await waitFor(() => expect(added.querySelector('img')?.getAttribute('src')).toBe('/fresh'));
    await save();
    await waitFor(() => expect(sent).toEqual([{ images: [choice('b'), choice('new')] }]));
    expect(deletions()).toEqual([]);
  });

  it('gives back the room of what was added once Undo has gone, and of nothing else', async () => {
    await discard();
    act(clearFeedback);
    await waitFor(() => expect(deletions()).toEqual(['DELETE /api/media/new']));
    open(withPhotos('a', 'b'));
    expect(tiles()).toBe(2);
    await waitFor(() => expect(gateway.calls.filter((call) => call.startsWith('PATCH'))).toEqual([]));
  });
});
