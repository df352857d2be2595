import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aBlob, aFile } from '../../../../test/a-file.js';
import { aMe, aSession } from '../../../../test/a-post.js';
import { anImage } from '../../../../test/an-image.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakePictures } from '../../../../test/fake-pictures.js';
import type { FakePictures } from '../../../../test/fake-pictures.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { settle } from '../../../components/feedback/undoable.js';
import { keepDraft, keptDraft } from '../../../drafts/drafts.js';
import { session } from '../../../server/session/session.js';
import { OwnProfile } from '../components/own-profile.js';

const UPLOAD = 'POST /api/media/images';
const OWN = { profileImage: '/media/old/avatar' };

/** Nobody's yet: its address is for its owner, and expires. */
const anAvatar = (id: string) =>
  anImage({ id, url: `/media/${id}/avatar?s=mac`, thumbnail: `/media/${id}/avatar?s=mac` });

let gateway: FakeGateway;
let pictures: FakePictures;
let sent: unknown[];
let uploads: Record<string, unknown>[];
let drawn: unknown[][];
beforeEach(() => {
  gateway = fakeGateway();
  pictures = fakePictures();
  [sent, uploads, drawn] = [[], [], []];
  gateway.on('GET /api/storage', () => ({ quotaBytes: 100, bytesUsed: 1 }));
  gateway.on(UPLOAD, async (request) => {
    uploads.push(Object.fromEntries(await request.formData()));
    return anAvatar(`new${uploads.length}`);
  });
  gateway.on('GET /api/media/new1', () => anAvatar('new1'));
  gateway.on('DELETE /api/media/new1', () => new Response(null, { status: 204 }));
  gateway.on('PATCH /api/me', async (request) => {
    const change = await request.json();
    sent.push(change);
    return aMe({
      profileImage: change.profileImageId ? `/media/${change.profileImageId}/avatar` : '/api/avatars/B.svg',
    });
  });
  const canvas = HTMLCanvasElement.prototype;
  const context = { fillRect() {}, drawImage: (_picture: unknown, ...box: unknown[]) => drawn.push(box) };
  jest.spyOn(canvas, 'getContext').mockReturnValue(context as never);
  jest.spyOn(canvas, 'toBlob').mockImplementation((done, type) => done(aBlob('jpeg', type)));
  act(() => session.signIn(aSession('token')));
});
afterEach(async () => {
  jest.restoreAllMocks();
  pictures.restore();
  cleanup();
  act(clearFeedback);
  await settle();
  act(() => keepDraft('ben', 'profile', undefined));
  act(() => session.forceSignOut());
});

/** The editor of one's own profile. */
async function edit(over: Parameters<typeof aMe>[0] = {}) {
  const me = aMe(over);
  gateway.on('GET /api/me', () => me);
  const { queryClient, wrapper } = aPageAround();
  render(<OwnProfile viewer={me} />, { wrapper });
  const button = screen.queryByRole('button', { name: 'Edit profile' });
  if (button) await userEvent.click(button);
  return queryClient;
}
const group = () => screen.getByRole('group', { name: 'Profile photo' });
const shown = () => group().querySelector(':scope > img')?.getAttribute('src');
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const choose = (file: File) =>
  act(() => {
    const input = group().querySelector<HTMLInputElement>('input[type=file]')!;
    Object.defineProperty(input, 'files', { value: [file], configurable: true });
    fireEvent.change(input);
  });

/** Opens the dialog, whose picture has these sizes. */
async function crop(width: number, height: number) {
  choose(aFile());
  const dialog = await screen.findByRole('dialog', { name: 'Crop photo' });
  const picture = dialog.querySelector('img')!;
  Object.defineProperty(picture, 'naturalWidth', { value: width });
  Object.defineProperty(picture, 'naturalHeight', { value: height });
  fireEvent.load(picture);
  return within(dialog);
}
async function upload() {
  await crop(1600, 1200);
  await press('Use photo');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

// Rule: UI-67, MEDIA-6
describe('the picture in the profile editor', () => {
  it('is cut to a square of at most 1024 pixels, uploaded as an avatar, and saved with the rest', async () => {
    const queryClient = await edit();
    const feed = { pages: [{ items: [{ author: aMe() }] }], pageParams: [] };
    queryClient.setQueryData<unknown>(queryKeys.posts.feed, feed);
    expect(screen.queryByRole('button', { name: 'Remove photo' })).toBeNull();
    await upload();
    expect(drawn).toEqual([[200, 0, 1200, 1200, 0, 0, 1024, 1024]]);
    expect(uploads).toMatchObject([{ purpose: 'avatar', originalName: 'rower.png', originalSize: '15' }]);
    expect(shown()).toBe('/media/new1/avatar?s=mac');
    expect(screen.getByText('Others see this once you save.')).toBeTruthy();
    expect(pictures.held.size).toBe(0);
    await press('Save Changes');
    await screen.findByRole('button', { name: 'Edit profile' });
    expect(sent).toEqual([{ profileImageId: 'new1' }]);
    expect(queryClient.getQueryData(queryKeys.posts.feed)).toMatchObject({
      pages: [{ items: [{ author: { profileImage: '/media/new1/avatar' } }] }],
    });
    expect(gateway.calls).not.toContain('DELETE /api/media/new1');
  });

  it('goes by Remove photo, once that is saved', async () => {
    await edit(OWN);
    expect(shown()).toBe('/media/old/avatar');
    await press('Remove photo');
    expect(shown()).toBeUndefined();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change photo' }));
    await press('Save Changes');
    await screen.findByRole('button', { name: 'Edit profile' });
    expect(sent).toEqual([{ profileImageId: null }]);
  });

  // Rule: MEDIA-14
  it('that is replaced before it was saved is deleted', async () => {
    await edit();
    await upload();
    await upload();
    await waitFor(() => expect(gateway.calls).toContain('DELETE /api/media/new1'));
    expect(shown()).toBe('/media/new2/avatar?s=mac');
  });

  // Rule: UI-56
  it('comes back by Undo after Cancel, and is deleted once that is over', async () => {
    await edit(OWN);
    await upload();
    await press('Cancel');
    expect(gateway.calls).not.toContain('DELETE /api/media/new1');
    act(() => getFeedback().toasts[0]?.action?.run());
    // It can be taken away before it is shown.
    expect(screen.getByRole('button', { name: 'Remove photo' })).toBeTruthy();
    await waitFor(() => expect(shown()).toBe('/media/new1/avatar?s=mac'));
    await press('Cancel');
    await act(async () => void (await settle()));
    expect(gateway.calls).toContain('DELETE /api/media/new1');
    expect(keptDraft('ben', 'profile')).toBeUndefined();
  });

  // Rule: UI-41
  it('of a draft that the server has no more leaves it, and says so', async () => {
    gateway.on('GET /api/media/new1', () => problem(404, 'not-found'));
    act(() => keepDraft('ben', 'profile', { bio: 'Rower', profileImageId: 'new1' }));
    await edit(OWN);
    expect(
      await screen.findByText('The new photo is no longer available. Please choose it again.'),
    ).toBeTruthy();
    expect(shown()).toBe('/media/old/avatar');
    expect(keptDraft('ben', 'profile')).toEqual({ bio: 'Rower' });
  });

  it('that cannot be taken by saving says so, and leaves the rest to be saved', async () => {
    gateway.on('PATCH /api/me', () => problem(422, 'media-not-attachable'));
    await edit();
    await upload();
    await press('Save Changes');
    expect(
      await screen.findByText('The new photo is no longer available. Please choose it again.'),
    ).toBeTruthy();
    expect(shown()).toBeUndefined();
  });
});

// Rule: MEDIA-1, MEDIA-5
describe('a file that is no good', () => {
  it.each([
    [aFile('a.svg', 'image/svg+xml'), 'Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif'],
    [aFile('a.jpg', 'image/jpeg', 'x'.repeat(10_485_761)), 'File too large. Maximum size: 10MB'],
  ])('is refused', async (file, text) => {
    await edit();
    choose(file);
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('since it is no picture, says so', async () => {
    await edit();
    choose(aFile());
    const dialog = await screen.findByRole('dialog', { name: 'Crop photo' });
    fireEvent.error(dialog.querySelector('img')!);
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to load image');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    [() => problem(413, 'quota-exceeded'), 'Storage quota exceeded'],
    [() => problem(500, 'internal'), 'Failed to process images. Please try again.'],
  ])('for the server stays in its dialog, with the reason', async (answer, text) => {
    gateway.on(UPLOAD, answer);
    await edit();
    const dialog = await crop(300, 300);
    await press('Use photo');
    expect((await dialog.findByRole('alert')).textContent).toBe(text);
    gateway.on(UPLOAD, () => anAvatar('new1'));
    await press('Use photo');
    await waitFor(() => expect(shown()).toBe('/media/new1/avatar?s=mac'));
  });
});

// Rule: UI-67
describe('the crop dialog', () => {
  it('moves by arrow keys, zooms by + and - and by the slider, and says when the part is small', async () => {
    await edit();
    const dialog = await crop(600, 300);
    const area = dialog.getByRole('application', { name: 'Photo in its frame' });
    const zoom = dialog.getByRole<HTMLInputElement>('slider', { name: 'Zoom' });
    expect(document.activeElement).toBe(area);
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(dialog.queryByText(/smaller than 200x200/)).toBeNull();
    fireEvent.change(zoom, { target: { value: '2' } });
    expect(dialog.getByText(/smaller than 200x200/)).toBeTruthy();
    await userEvent.keyboard('-');
    expect(Number(zoom.value)).toBeLessThan(2);
    await userEvent.keyboard('=');
    await press('Use photo');
    await waitFor(() => expect(drawn).toHaveLength(1));
    // Two steps of a twentieth of 300 pixels to the left, then half of the square around its centre.
    expect(drawn[0]!.map(Number).map(Math.round)).toEqual([195, 75, 150, 150, 0, 0, 150, 150]);
  });

  it('is left by Cancel, with nothing sent', async () => {
    await edit();
    const dialog = await crop(600, 300);
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(gateway.calls).not.toContain(UPLOAD);
    expect(pictures.held.size).toBe(0);
  });
});
