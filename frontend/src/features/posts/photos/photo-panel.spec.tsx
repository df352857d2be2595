import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aFile } from '../../../../test/a-file.js';
import { anImage } from '../../../../test/an-image.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakePictures } from '../../../../test/fake-pictures.js';
import type { FakePictures } from '../../../../test/fake-pictures.js';
import { aPageAround } from '../../../../test/render.js';
import type { DraftImage } from '../post-fields.js';
import { PhotoList } from './photo-list.js';
import { PhotoPanel } from './photo-panel.js';

let gateway: FakeGateway;
let pictures: FakePictures;
let images: DraftImage[];
let leave: (() => void) | undefined;

beforeEach(() => {
  gateway = fakeGateway();
  pictures = fakePictures();
});
afterEach(() => {
  cleanup();
  leave?.();
  pictures.restore();
  jest.restoreAllMocks();
});

const photo = (id: string, over: Partial<DraftImage> = {}): DraftImage => ({
  ...{ id, alt: '', caption: '', width: 640, height: 480 },
  ...over,
});

function open(begin: DraftImage[], inEdit = false) {
  images = begin;
  const list = new PhotoList({
    images: begin,
    ofPost: begin.map(({ id }) => anImage({ id })),
    onChange: (changed) => (images = changed),
    onStored: () => undefined,
    onExpired: () => undefined,
    onNotFreed: () => undefined,
  });
  leave = list.stay();
  const { container } = render(<PhotoPanel list={list} inEdit={inEdit} />, {
    wrapper: aPageAround().wrapper,
  });
  const input = container.querySelector<HTMLInputElement>('input[type=file]')!;
  const choose = (...files: File[]) => {
    Object.defineProperty(input, 'files', { value: files, configurable: true });
    fireEvent.change(input);
  };
  return { list, choose, input };
}

const three = () => [photo('a'), photo('b', { alt: 'A rower' }), photo('c')];
const ids = () => images.map(({ id }) => id).join('');
const tile = (name: string) => screen.getByRole('button', { name });
const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
const focused = () => document.activeElement?.getAttribute('aria-label');

// Rule: UI-18, UI-46
describe('photos by keyboard', () => {
  it('are picked up by Space, moved by the arrow keys and dropped by Space', async () => {
    open(three());
    tile('Photo 1 of 3').focus();
    await userEvent.keyboard(' ');
    expect(said().join()).toContain('Photo 1 of 3 picked up.');
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    expect({ order: ids(), focus: focused() }).toEqual({ order: 'bca', focus: 'Photo 3 of 3' });
    expect(said()).toContain('Now photo 3 of 3.');
    await userEvent.keyboard('{Home} ');
    expect({ order: ids(), focus: focused() }).toEqual({ order: 'abc', focus: 'Photo 1 of 3' });
    expect(said()).toContain('Dropped as photo 1 of 3.');
    await userEvent.keyboard('{ArrowRight}');
    expect(ids()).toBe('abc');
    expect(screen.queryByLabelText('Alt text')).toBeNull();
  });

  it('are put back by Escape, which closes nothing else', async () => {
    open(three());
    const escapes: boolean[] = [];
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') escapes.push(event.defaultPrevented);
    };
    window.addEventListener('keydown', onKey);
    tile('Photo 2 of 3: A rower').focus();
    await userEvent.keyboard(' {End}');
    expect(ids()).toBe('acb');
    await userEvent.keyboard('{Escape}');
    expect({ order: ids(), focus: focused(), escapes }).toEqual({
      ...{ order: 'abc', focus: 'Photo 2 of 3: A rower' },
      // The dialog around it does not see the key.
      escapes: [],
    });
    expect(said()).toContain('Put back as photo 2 of 3.');
    window.removeEventListener('keydown', onKey);
  });

  it('stay where they are when the focus goes elsewhere', async () => {
    open(three());
    tile('Photo 1 of 3').focus();
    await userEvent.keyboard(' {ArrowRight}');
    await userEvent.tab();
    expect(said()).toContain('Dropped as photo 2 of 3.');
    expect(ids()).toBe('bac');
  });

  it('are removed, with the focus at the next one, and at the end at the button for more', async () => {
    const { list } = open([photo('a'), photo('b')]);
    await userEvent.click(tile('Remove photo 1'));
    expect({ order: ids(), focus: focused() }).toEqual({ order: 'b', focus: 'Photo 1 of 1' });
    await userEvent.click(tile('Remove photo 1'));
    expect(list.count()).toBe(0);
    expect(document.activeElement?.textContent).toContain('Choose photos');
  });
});

describe('the texts of a photo', () => {
  it('are written below the row, with the focus there and back', async () => {
    open(three());
    await userEvent.click(tile('Alt text and caption of photo 3'));
    const alt = screen.getByLabelText('Alt text');
    expect(document.activeElement).toBe(alt);
    await userEvent.type(alt, 'Dawn');
    await userEvent.type(screen.getByRole('textbox', { name: 'Caption' }), '05:40');
    expect(images[2]).toMatchObject({ alt: 'Dawn', caption: '05:40' });
    await userEvent.click(tile('Done'));
    expect(focused()).toBe('Alt text and caption of photo 3');
    expect(screen.queryByLabelText('Alt text')).toBeNull();
    expect(tile('Photo 3 of 3: Dawn')).toBeTruthy();
  });

  it('follow their photo, are closed by Escape and go with it', async () => {
    const { list } = open(three());
    await userEvent.click(tile('Photo 2 of 3: A rower'));
    act(() => list.move('b', 0));
    expect(await screen.findByRole('group', { name: 'Alt text and caption of photo 1' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('group')).toBeNull();
    await userEvent.click(tile('Photo 1 of 3: A rower'));
    await userEvent.click(tile('Remove photo 1'));
    expect(screen.queryByRole('group')).toBeNull();
  });
});

// Rule: MEDIA-5, MEDIA-21
describe('what is wrong with photos', () => {
  const lines = () =>
    [...screen.getByRole('alert').querySelectorAll('p > span')].map(({ textContent }) => textContent);

  it('is told of each file, and the good ones are taken', async () => {
    gateway.on('POST /api/media/images', () => anImage({ id: 'new' }));
    const { choose } = open([]);
    choose(
      aFile('big.jpg', 'image/jpeg', 'x'.repeat(10 * 1024 ** 2 + 1)),
      aFile('notes.txt', 'text/plain'),
      aFile('bad.png', 'image/png', 'broken'),
      aFile(),
    );
    expect(screen.getByText('Processing images...')).toBeTruthy();
    await waitFor(() =>
      expect(lines()).toEqual([
        'File 1: File too large. Maximum size: 10MB',
        'File 2: Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif',
        'Failed to process image 3: Failed to load image',
      ]),
    );
    await waitFor(() => expect(ids()).toBe('new'));
    expect(screen.queryByText('Processing images...')).toBeNull();
  });

  it.each([
    [413, 'quota-exceeded', 'Storage quota exceeded'],
    [
      422,
      'unsupported-media',
      'Failed to process image 1: Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif',
    ],
    [500, 'internal', 'Failed to process images. Please try again.'],
  ])('is told of a refused upload: %s %s', async (status, code, text) => {
    gateway.on('POST /api/media/images', () => problem(status, code));
    const { choose } = open([]);
    choose(aFile());
    await waitFor(() => expect(lines()).toEqual([text]));
    gateway.on('POST /api/media/images', () => anImage({ id: 'new' }));
    await userEvent.click(tile('Retry photo 1'));
    await waitFor(() => expect(ids()).toBe('new'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    [false, 'Too many files. Maximum: 10 images'],
    [true, 'Too many images. Maximum 10 images allowed. You currently have 10.'],
  ])('is told of too many, in an edit: %s', (inEdit, text) => {
    const { choose } = open(
      Array.from({ length: 10 }, (_, index) => photo(`p${index}`)),
      inEdit,
    );
    expect(screen.queryByRole('button', { name: 'Add photos' })).toBeNull();
    choose(aFile());
    expect(lines()).toEqual([text]);
  });

  it('is told when nothing was chosen', () => {
    open([]).choose();
    expect(lines()).toEqual(['No files selected.']);
  });

  it('is told of one that is gone, which cannot be published', async () => {
    const { list, choose } = open([]);
    gateway.on('POST /api/media/images', () => anImage({ id: 'new' }));
    choose(aFile());
    await waitFor(() => expect(ids()).toBe('new'));
    await act(() => list.findGone());
    await waitFor(() =>
      expect(lines()).toEqual(['Photo 1 is no longer available. Please remove it and choose it again.']),
    );
    expect(list.isReady()).toBe(false);
    await userEvent.click(tile('Remove photo 1'));
    expect({
      ready: list.isReady(),
      deletions: gateway.calls.filter((call) => call.startsWith('DELETE')),
    }).toEqual({ ready: true, deletions: [] });
  });
});

// Rule: MEDIA-4
it('the choice of files says which kinds, how large, how many, and that GIFs become still', () => {
  const { input } = open([]);
  const button = screen.getByRole('button', { name: /Choose photos/ });
  const hint = document.getElementById(button.getAttribute('aria-describedby')!)!;
  for (const part of ['JPEG, PNG, WebP or GIF', '10MB', '10 a post', 'GIFs become still pictures'])
    expect(within(hint).getByText(new RegExp(part))).toBeTruthy();
  expect(input.accept).toContain('image/webp');
  const opened = jest.spyOn(input, 'click').mockImplementation(() => undefined);
  fireEvent.click(button);
  expect(opened).toHaveBeenCalledTimes(1);
});

// Rule: MEDIA-19
it('a picture whose address has expired is asked for once more', async () => {
  gateway.on('GET /api/media/a', () => anImage({ id: 'a', thumbnail: '/fresh' }));
  open([photo('a')]);
  const picture = () => tile('Photo 1 of 1').querySelector('img')!;
  fireEvent.error(picture());
  await waitFor(() => expect(picture().getAttribute('src')).toBe('/fresh'));
  fireEvent.error(picture());
  expect(gateway.calls).toEqual(['GET /api/media/a']);
});

// Rule: UI-58
it('texts that are too long are kept whole, and hold the post back until they are shorter', async () => {
  const { list } = open([photo('a')]);
  await userEvent.click(tile('Photo 1 of 1'));
  const alt = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Alt text' });
  fireEvent.change(alt(), { target: { value: '🏊'.repeat(1_001) } });
  expect(alt().value).toBe('🏊'.repeat(1_001));
  expect(screen.getByText('Alt text must be at most 1000 characters')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.getByText('A text of photo 1 is too long. Please shorten it.')).toBeTruthy();
  expect(list.isReady()).toBe(false);
  act(() => list.describe('a', { alt: '🏊'.repeat(1_000) }));
  expect([list.isReady(), screen.queryByText(/too long/)]).toEqual([true, null]);
});
