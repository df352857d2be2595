import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aFile } from '../../../../test/a-file.js';
import { aMe, aPost, aSession } from '../../../../test/a-post.js';
import { aVideo, aVideoFile } from '../../../../test/a-video.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakeUploads } from '../../../../test/fake-uploads.js';
import type { FakeUploads } from '../../../../test/fake-uploads.js';
import { fakeVideoElement } from '../../../../test/fake-video-element.js';
import type { FakeVideoElement } from '../../../../test/fake-video-element.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { emitLive } from '../../../server/live/live-events.js';
import { session } from '../../../server/session/session.js';
import { draftOf, setDraft } from '../drafts.js';
import { EMPTY_POST } from '../post-fields.js';
import { UploadStrip } from '../videos/upload-strip.js';
import { Publisher } from './publisher.js';

const viewer = aMe({ id: 'ben' });
let gateway: FakeGateway;
let server: FakeUploads;
let element: FakeVideoElement;
let sent: unknown[];

beforeEach(() => {
  sent = [];
  gateway = fakeGateway();
  server = fakeUploads();
  element = fakeVideoElement();
  act(() => session.signIn(aSession('token', { user: viewer })));
  gateway.on('GET /api/media/v1', () => aVideo({ status: 'processing', url: '', thumbnail: '' }));
  gateway.on('DELETE /api/media/v1', () => new Response(null, { status: 204 }));
  gateway.on('POST /api/posts', async (request) => {
    sent.push(await request.json());
    return aPost({ author: { ...aPost().author, id: 'ben' } });
  });
});
afterEach(() => {
  cleanup();
  server.restore();
  element.restore();
  jest.restoreAllMocks();
  clearFeedback();
  act(() => setDraft('ben', EMPTY_POST));
  act(() => session.forceSignOut());
  sessionStorage.clear();
});

function open() {
  const { wrapper } = aPageAround();
  return render(
    <>
      <Publisher viewer={viewer} />
      <UploadStrip />
    </>,
    { wrapper },
  );
}
const field = () => screen.getByRole('textbox', { name: 'Your post' });
const post = () => screen.getByRole('button', { name: /^(Post|Posting|Uploading)/ });
const isOff = () => post().getAttribute('aria-disabled') === 'true';
const drop = (...files: File[]) =>
  fireEvent.drop(screen.getByRole('region', { name: 'New post' }), {
    dataTransfer: { types: ['Files'], files },
  });
const panel = () => screen.findByRole('region', { name: 'Video' });
const press = async (name: string | RegExp) =>
  userEvent.click(within(await panel()).getByRole('button', { name }));
const toasts = () => getFeedback().toasts.map(({ message }) => message);
const text = { content: '', visibility: 'public' };
const LARGE = 600 * 1024;

async function openPanel(): Promise<void> {
  open();
  await userEvent.click(field());
  await userEvent.click(screen.getByRole('button', { name: 'Video' }));
  await panel();
}

// Rule: UI-65, POST-1
describe('the publisher with a video', () => {
  it('has one panel open at a time', async () => {
    await openPanel();
    await userEvent.click(screen.getByRole('button', { name: 'Photo' }));
    await screen.findByRole('button', { name: /Choose photos/ });
    expect(screen.queryByRole('region', { name: 'Video' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Video' }));
    await panel();
    expect(screen.queryByRole('region', { name: 'Photos' })).toBeNull();
  });

  it('shows what the page finds out of the file, and publishes it', async () => {
    open();
    drop(aVideoFile(1000));
    expect(await screen.findByText('0:12 · 0.1 MB')).toBeTruthy();
    expect((await panel()).querySelector('img')?.getAttribute('src')).toBe('blob:poster');
    await screen.findByText('Your video is being prepared. You can post it now.');
    await waitFor(() => expect(isOff()).toBe(false));
    await userEvent.click(post());
    await waitFor(() => expect(toasts()).toEqual(['Post created successfully!']));
    expect(sent).toEqual([{ ...text, video: { type: 'upload', id: 'v1' } }]);
    expect(draftOf('ben').video).toBeNull();
  });

  // Rule: POST-2
  it('takes no photos beside it', async () => {
    open();
    drop(aVideoFile());
    await panel();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Photo' }).disabled).toBe(true);
    drop(aFile());
    await screen.findByText('Invalid file type. Allowed: .mp4, .webm, .ogg');
    expect(draftOf('ben').images).toEqual([]);
  });

  // Rule: MEDIA-8
  it('refuses other kinds and larger files, and sends nothing of them', async () => {
    await openPanel();
    const choose = (file: File) =>
      fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [file] } });
    choose(aVideoFile(10, 'run.mov', 'video/quicktime'));
    await screen.findByText('Invalid file type. Allowed: .mp4, .webm, .ogg');
    const large = aVideoFile();
    Object.defineProperty(large, 'size', { value: 52_428_801 });
    choose(large);
    await screen.findByText('File too large. Maximum size: 50MB');
    expect(server.requests).toEqual([]);
  });

  // Rule: MEDIA-12
  it.each([
    ['broken', 'Failed to load video metadata'],
    ['blind', 'Failed to generate thumbnail.'],
  ] as const)(
    'says what it cannot read of a file that is %s, and uploads it all the same',
    async (kind, said) => {
      element.as(kind);
      open();
      drop(aVideoFile());
      await screen.findByText(said);
      await waitFor(() => expect(draftOf('ben').video).toMatchObject({ id: 'v1' }));
    },
  );

  it('waits with the post until the video is there, and takes what is written meanwhile', async () => {
    const answers: (() => void)[] = [];
    server.intercept(({ method }) => (method === 'PATCH' && answers.length === 0 ? 'never' : undefined));
    const { unmount } = open();
    drop(aVideoFile(LARGE));
    await screen.findAllByText(/^Uploading video \d+%$/);
    await userEvent.type(field(), 'Dawn');
    await waitFor(() => expect(isOff()).toBe(false));
    await userEvent.click(post());
    await waitFor(() => expect(post().textContent).toMatch(/^Uploading video \d+%$/));
    await userEvent.type(field(), ' run');
    expect(sent).toEqual([]);
    // Its page is left; by the strip of another one the upload is paused and goes on.
    unmount();
    render(<UploadStrip />, { wrapper: aPageAround().wrapper });
    await userEvent.click(screen.getByRole('button', { name: 'Pause the upload of run.mp4' }));
    answers.push(() => undefined);
    await userEvent.click(await screen.findByRole('button', { name: 'Resume the upload of run.mp4' }));
    await waitFor(() =>
      expect(sent).toEqual([{ ...text, content: 'Dawn run', video: { type: 'upload', id: 'v1' } }]),
    );
    await waitFor(() => expect(toasts()).toEqual(['Post created successfully!']));
    expect(draftOf('ben')).toEqual(EMPTY_POST);
  });

  // Rule: MEDIA-12
  it('says why the upload of a post that waits has failed, and keeps all of it', async () => {
    server.intercept(({ method }) =>
      method === 'POST' ? { status: 413, body: { code: 'quota-exceeded' } } : undefined,
    );
    open();
    await userEvent.type(field(), 'Dawn');
    drop(aVideoFile(LARGE));
    await userEvent.click(post());
    await within(await panel()).findByText('Storage quota exceeded');
    // In place of where it was: nothing of it is there.
    expect(within(await panel()).queryByText(/^Paused/)).toBeNull();
    expect(within(await panel()).queryByRole('progressbar')).toBeNull();
    expect(sent).toEqual([]);
    expect(draftOf('ben')).toMatchObject({ content: 'Dawn', video: { type: 'upload' } });
    expect(isOff()).toBe(true);
    server.intercept(() => undefined);
    await press('Retry the upload of run.mp4');
    await waitFor(() => expect(draftOf('ben').video).toMatchObject({ id: 'v1' }));
    expect(isOff()).toBe(false);
  });

  // Rule: MEDIA-10, MEDIA-12
  it('cancels an upload, whose bytes are deleted, and the post that waits for it', async () => {
    server.intercept(({ method }) => (method === 'PATCH' ? 'never' : undefined));
    open();
    await userEvent.type(field(), 'Dawn');
    drop(aVideoFile(LARGE));
    await waitFor(() => expect(draftOf('ben').video).toMatchObject({ address: '/api/uploads/v1' }));
    await userEvent.click(post());
    await press('Cancel the upload of run.mp4');
    await waitFor(() => expect(toasts()).toEqual(['User canceled the upload/download.']));
    await waitFor(() => expect(server.requests.map(({ method }) => method)).toContain('DELETE'));
    expect({ sent, video: draftOf('ben').video }).toEqual({ sent: [], video: null });
    expect(document.activeElement?.hasAttribute('data-add')).toBe(true);
    await waitFor(() => expect(isOff()).toBe(false));
  });

  it('removes a video that is there, and frees its storage', async () => {
    open();
    drop(aVideoFile());
    await waitFor(() => expect(draftOf('ben').video).toMatchObject({ id: 'v1' }));
    await press('Remove video');
    await waitFor(() => expect(gateway.calls).toContain('DELETE /api/media/v1'));
    expect(draftOf('ben').video).toBeNull();
  });
});

// Rule: UI-41, MEDIA-9
describe('a draft with a video', () => {
  const file = { name: 'run.mp4', type: 'video/mp4', size: LARGE };

  it('keeps one that is on the server, and hears when it is ready, or has failed', async () => {
    act(() => setDraft('ben', { ...EMPTY_POST, video: { type: 'upload', id: 'v1' } }));
    open();
    await screen.findByText('Your video is being prepared. You can post it now.');
    act(() => emitLive({ type: 'post-media', data: { postId: null, media: aVideo() } }));
    await screen.findByText('Your video is ready.');
    expect((await panel()).querySelector('img')?.getAttribute('src')).toBe('/media/v1/thumbnail');
    const failed = aVideo({ status: 'failed', problem: 'Invalid file type. Allowed: .mp4, .webm, .ogg' });
    act(() => emitLive({ type: 'post-media', data: { postId: null, media: failed } }));
    await screen.findByText('Invalid file type. Allowed: .mp4, .webm, .ogg');
    expect(isOff()).toBe(true);
  });

  it('loses one that has expired, and says so', async () => {
    gateway.on('GET /api/media/v1', () => problem(404, 'not-found'));
    act(() => setDraft('ben', { ...EMPTY_POST, video: { type: 'upload', id: 'v1' } }));
    open();
    await waitFor(() =>
      expect(toasts()).toEqual(['The video of your draft is no longer available. Please choose it again.']),
    );
    expect(draftOf('ben').video).toBeNull();
  });

  it('says that one was interrupted, and goes on with the same file where it was', async () => {
    const again = aVideoFile(LARGE);
    const known = { ...file, lastModified: again.lastModified };
    // The half of it is there.
    server.intercept(({ method }, n) => (method === 'PATCH' && n === 3 ? 'never' : undefined));
    const first = open();
    drop(again);
    await waitFor(() => expect(server.requests).toHaveLength(3));
    act(() => session.forceSignOut());
    first.unmount();
    server.intercept(() => undefined);
    server.requests.length = 0;
    act(() => session.signIn(aSession('token', { user: viewer })));
    expect(draftOf('ben').video).toEqual({ type: 'upload', file: known, address: '/api/uploads/v1' });
    open();
    await screen.findByText(
      'The upload of run.mp4 was interrupted. Choose the same file again and it goes on.',
    );
    expect(isOff()).toBe(true);
    drop(again);
    await waitFor(() => expect(draftOf('ben').video).toMatchObject({ id: 'v1' }));
    expect(server.requests.map(({ method }) => method)).toEqual(['HEAD', 'PATCH', 'PATCH']);
    expect(isOff()).toBe(false);
  });

  it('asks before the page is closed while an upload is under way', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    server.intercept(() => 'never');
    open();
    expect(asks()).toBe(false);
    drop(aVideoFile());
    await waitFor(() => expect(asks()).toBe(true));
  });
});

// Rule: POST-26, POST-17
describe('a link in place of a file', () => {
  const link = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Link to a video' });
  const write = async (url: string) => {
    await userEvent.click(link());
    await userEvent.paste(url);
  };
  const otherLink = 'This is no link of YouTube, Vimeo or a video file. It might not work.';
  beforeEach(async () => {
    await openPanel();
    await userEvent.click(screen.getByRole('radio', { name: 'Link' }));
  });

  it('is published as it was written', async () => {
    await write(' https://youtu.be/M7lc1UVf-VE ');
    expect(screen.queryByText(otherLink)).toBeNull();
    await userEvent.click(post());
    await waitFor(() => expect(toasts()).toEqual(['Post created successfully!']));
    expect(sent).toEqual([{ ...text, video: { type: 'url', url: 'https://youtu.be/M7lc1UVf-VE' } }]);
  });

  it('that is none cannot be published', async () => {
    await write('run.mp4');
    expect(screen.queryByText('Please enter a valid URL')).toBeNull();
    await userEvent.tab();
    await screen.findByText('Please enter a valid URL');
    expect(isOff()).toBe(true);
  });

  it.each([
    ['https://vimeo.com/76979871', false],
    ['https://cdn.example.test/run.webm', false],
    ['https://www.youtube.com/shorts/M7lc1UVf-VE?feature=share', false],
    ['https://www.youtube.com/@a-channel-of-sport', true],
    ['https://vimeo.com/categories', true],
    ['https://example.test/run', true],
    ['https://youtube.com.example.test/watch?v=M7lc1UVf-VE', true],
  ])('%s is warned of: %s', async (url, warned) => {
    await write(url);
    expect(screen.queryByText(otherLink) !== null).toBe(warned);
    expect(isOff()).toBe(false);
  });

  it('is left out with its field, and there again with it', async () => {
    await write('https://vimeo.com/76979871');
    await userEvent.click(screen.getByRole('radio', { name: 'Upload' }));
    expect(draftOf('ben').video).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Link' }));
    expect(link().value).toBe('https://vimeo.com/76979871');
    expect(isOff()).toBe(false);
  });
});
