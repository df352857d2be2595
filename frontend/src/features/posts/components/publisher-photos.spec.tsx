import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aFile } from '../../../../test/a-file.js';
import { aMe, aPost, aSession } from '../../../../test/a-post.js';
import { anImage } from '../../../../test/an-image.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakePictures } from '../../../../test/fake-pictures.js';
import type { FakePictures } from '../../../../test/fake-pictures.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { draftOf, setDraft } from '../drafts.js';
import { Publisher } from './publisher.js';
import { EMPTY_POST } from '../post-fields.js';

const UPLOAD = 'POST /api/media/images';
const media = globalThis.matchMedia;
const viewer = aMe({ id: 'ben' });
let gateway: FakeGateway;
let pictures: FakePictures;
/** What was published, with its idempotency key. */
let sent: { key: string | null; body: unknown }[];
let uploaded: number;

beforeEach(() => {
  [sent, uploaded] = [[], 0];
  gateway = fakeGateway();
  pictures = fakePictures();
  act(() => session.signIn(aSession('token', { user: viewer })));
  gateway.on(UPLOAD, () => anImage({ id: `i${++uploaded}` }));
  publishing(() => aPost({ author: { ...aPost().author, id: 'ben' } }));
});
afterEach(() => {
  cleanup();
  pictures.restore();
  jest.restoreAllMocks();
  globalThis.matchMedia = media;
  clearFeedback();
  sessionStorage.clear();
  act(() => setDraft('ben', EMPTY_POST));
  session.forceSignOut();
});

function publishing(answer: () => unknown): void {
  gateway.on('POST /api/posts', async (request) => {
    sent.push({ key: request.headers.get('Idempotency-Key'), body: await request.json() });
    return answer();
  });
}

const open = () => render(<Publisher viewer={viewer} />, { wrapper: aPageAround().wrapper });
const field = () => screen.getByRole('textbox', { name: 'Your post' });
const post = () => screen.getByRole('button', { name: /^Post/ });
const card = () => screen.getByRole('region', { name: 'New post' });
const tiles = () => screen.queryAllByRole('button', { name: /^Photo \d/ });
const drop = (...files: File[]) => fireEvent.drop(card(), { dataTransfer: { types: ['Files'], files } });
const uploads = () => gateway.calls.filter((call) => call === UPLOAD).length;
const isOff = () => post().getAttribute('aria-disabled') === 'true';
const body = (content: string, ...ids: string[]) => ({
  ...{ content, visibility: 'public' },
  images: ids.map((id) => ({ id, alt: '', caption: '' })),
});

// Rule: UI-18, POST-1
describe('the publisher with photos', () => {
  it('opens and closes its panel by Photo', async () => {
    open();
    await userEvent.click(field());
    const button = screen.getByRole('button', { name: 'Photo' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(button);
    expect(await screen.findByRole('button', { name: /Choose photos/ })).toBeTruthy();
    expect(button.getAttribute('aria-expanded')).toBe('true');
    await userEvent.click(button);
    expect(screen.queryByRole('button', { name: /Choose photos/ })).toBeNull();
  });

  it('publishes photos alone, and is empty afterwards', async () => {
    open();
    drop(aFile(), aFile());
    await waitFor(() => expect(draftOf('ben').images).toHaveLength(2));
    await waitFor(() => expect(isOff()).toBe(false));
    await userEvent.click(post());
    await waitFor(() =>
      expect(getFeedback().toasts).toMatchObject([{ message: 'Post created successfully!' }]),
    );
    expect(sent.map((one) => one.body)).toEqual([body('', 'i1', 'i2')]);
    await waitFor(() =>
      expect({ tiles: tiles().length, held: pictures.held.size }).toEqual({ tiles: 0, held: 0 }),
    );
    expect(draftOf('ben')).toMatchObject({ content: '', images: [] });
    expect(screen.queryByRole('button', { name: 'Photo' })).toBeNull();
    expect(gateway.calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
  });

  it('cannot be sent while a photo is under way, or has failed', async () => {
    const answers: ((answer: unknown) => void)[] = [];
    gateway.on(UPLOAD, () => new Promise((resolve) => answers.push(resolve)));
    open();
    await userEvent.type(field(), 'Dawn');
    expect(isOff()).toBe(false);
    drop(aFile());
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(isOff()).toBe(true);
    await userEvent.click(field());
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await act(async () => answers[0]!(problem(500, 'internal')));
    await screen.findByText('Failed to process images. Please try again.');
    expect({ isOff: isOff(), sent }).toEqual({ isOff: true, sent: [] });
    await userEvent.click(screen.getByRole('button', { name: 'Remove photo 1' }));
    await waitFor(() => expect(isOff()).toBe(false));
  });

  // Rule: POST-12
  it('keeps all of it when sending fails, and sends it again with the same key', async () => {
    publishing(() => problem(500, 'internal'));
    open();
    await userEvent.type(field(), 'Dawn');
    drop(aFile());
    await waitFor(() => expect(isOff()).toBe(false));
    await userEvent.click(post());
    await waitFor(() => expect(getFeedback().toasts).toHaveLength(1));
    expect({ tiles: tiles().length, text: (field() as HTMLTextAreaElement).value }).toEqual({
      ...{ tiles: 1, text: 'Dawn' },
    });
    await userEvent.click(post());
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[0]).toEqual(sent[1]);
    expect(sent[0]!.body).toEqual(body('Dawn', 'i1'));
  });

  it('keeps as the next draft what is added while a post is under way', async () => {
    let answer: (() => void) | undefined;
    gateway.on(
      'POST /api/posts',
      () =>
        new Promise(
          (resolve) => (answer = () => resolve(aPost({ author: { ...aPost().author, id: 'ben' } }))),
        ),
    );
    open();
    drop(aFile());
    await waitFor(() => expect(isOff()).toBe(false));
    await userEvent.click(post());
    await waitFor(() => expect(answer).toBeDefined());
    drop(aFile());
    await waitFor(() => expect(draftOf('ben').images).toHaveLength(2));
    act(() => answer!());
    await waitFor(() => expect(draftOf('ben').images.map(({ id }) => id)).toEqual(['i2']));
    await waitFor(() => expect(tiles()).toHaveLength(1));
  });

  it('stays open for a photo that is still under way when the post is there', async () => {
    const answers: Record<string, (answer: unknown) => void> = {};
    open();
    drop(aFile());
    await waitFor(() => expect(isOff()).toBe(false));
    gateway.on('POST /api/posts', () => new Promise((resolve) => (answers.post = resolve)));
    gateway.on(UPLOAD, () => new Promise((resolve) => (answers.upload = resolve)));
    await userEvent.click(post());
    await waitFor(() => expect(answers.post).toBeDefined());
    drop(aFile());
    await waitFor(() => expect(answers.upload).toBeDefined());
    await act(async () => answers.post!(aPost({ author: { ...aPost().author, id: 'ben' } })));
    await waitFor(() => expect(tiles()).toHaveLength(1));
    expect(isOff()).toBe(true);
    await act(async () => answers.upload!(anImage({ id: 'later' })));
    await waitFor(() => expect(isOff()).toBe(false));
    expect(draftOf('ben').images.map(({ id }) => id)).toEqual(['later']);
    expect(tiles()).toHaveLength(1);
  });

  it('stays open for the first photo, whose code is still loaded when the post is there', async () => {
    let answer: ((answer: unknown) => void) | undefined;
    gateway.on('POST /api/posts', () => new Promise((resolve) => (answer = resolve)));
    open();
    await userEvent.type(field(), 'Dawn');
    await userEvent.click(post());
    await waitFor(() => expect(answer).toBeDefined());
    drop(aFile());
    await act(async () => answer!(aPost({ author: { ...aPost().author, id: 'ben' } })));
    await waitFor(() => expect(draftOf('ben')).toMatchObject({ content: '', images: [{ id: 'i1' }] }));
    expect(tiles()).toHaveLength(1);
    expect(isOff()).toBe(false);
  });

  // Rule: MEDIA-17
  it('marks a photo that has expired', async () => {
    publishing(() => problem(422, 'media-not-attachable'));
    open();
    drop(aFile());
    await waitFor(() => expect(isOff()).toBe(false));
    await userEvent.click(post());
    await screen.findByText('Photo 1 is no longer available. Please remove it and choose it again.');
    expect(isOff()).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Remove photo 1' }));
    expect(draftOf('ben').images).toEqual([]);
  });
});

describe('files', () => {
  it('that are dragged over the publisher are awaited there, texts are not', () => {
    open();
    const over = (types: string[]) => fireEvent.dragOver(card(), { dataTransfer: { types, files: [] } });
    expect(over(['text/plain'])).toBe(true);
    expect(card().hasAttribute('data-dropping')).toBe(false);
    expect(over(['Files'])).toBe(false);
    expect(card().hasAttribute('data-dropping')).toBe(true);
    fireEvent.dragLeave(card(), { relatedTarget: document.body });
    expect(card().hasAttribute('data-dropping')).toBe(false);
  });

  it('that are pasted become photos, the picture of a copied table does not', async () => {
    open();
    const paste = (types: string[], files: File[]) =>
      fireEvent.paste(field(), { clipboardData: { types, files } });
    expect(paste(['text/plain', 'text/html', 'Files'], [aFile()])).toBe(true);
    expect(paste(['text/plain'], [])).toBe(true);
    expect(paste(['text/html', 'Files'], [aFile()])).toBe(false);
    await waitFor(() => expect(draftOf('ben').images).toHaveLength(1));
    expect(uploads()).toBe(1);
  });
});

// Rule: UI-41
describe('a draft with photos', () => {
  const images = [{ id: 'a', alt: 'Dawn', caption: '', width: 640, height: 480 }];

  it('is opened with them', async () => {
    gateway.on('GET /api/media/a', () => anImage({ id: 'a', thumbnail: '/fresh' }));
    act(() => setDraft('ben', { ...EMPTY_POST, images }));
    open();
    const tile = await screen.findByRole('button', { name: 'Photo 1 of 1: Dawn' });
    await waitFor(() => expect(tile.querySelector('img')?.getAttribute('src')).toBe('/fresh'));
    expect(isOff()).toBe(false);
  });

  it('loses one that has expired, and says so', async () => {
    act(() => setDraft('ben', { ...EMPTY_POST, images }));
    open();
    await waitFor(() =>
      expect(getFeedback().toasts).toMatchObject([
        { message: 'A photo of your draft is no longer available. Please choose it again.' },
      ]),
    );
    expect(draftOf('ben').images).toEqual([]);
  });

  it('is shown as one on a phone, where uploads go on while its dialog is closed', async () => {
    globalThis.matchMedia = (query) => ({ ...media(query), matches: true });
    const answers: ((answer: unknown) => void)[] = [];
    gateway.on(UPLOAD, () => new Promise((resolve) => answers.push(resolve)));
    open();
    drop(aFile());
    await waitFor(() => expect(answers).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await act(async () => answers[0]!(anImage({ id: 'i1' })));
    await userEvent.click(await screen.findByRole('button', { name: 'Draft 1 photo' }));
    expect(tiles()).toHaveLength(1);
  });

  it('asks before the page is closed, also while a photo is on its way', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    gateway.on(UPLOAD, () => new Promise(() => undefined));
    open();
    expect(asks()).toBe(false);
    drop(aFile());
    await waitFor(() => expect(asks()).toBe(true));
    cleanup();
    await waitFor(() => expect(asks()).toBe(false));
    act(() => setDraft('ben', { ...EMPTY_POST, images }));
    expect(asks()).toBe(true);
  });
});
