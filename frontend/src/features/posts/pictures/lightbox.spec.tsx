import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPost } from '../../../../test/a-post.js';
import { anImage } from '../../../../test/an-image.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { PostCard } from '../components/post-card.js';

beforeEach(() => void fakeGateway());
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

const images = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    anImage({
      id: `i${index + 1}`,
      url: `/media/i${index + 1}/full`,
      alt: index === 2 ? '' : `Alt ${index + 1}`,
      caption: index === 1 ? 'Up the hill' : '',
    }),
  );

async function open(count: number, pressed: number) {
  const post = aPost({ images: images(count), imageCount: count });
  render(<PostCard post={post} />, aPageAround());
  const name = count === 1 ? /^Open photo/ : new RegExp(`^Open photo ${pressed} of`);
  const tile = screen.getByRole('button', { name });
  await userEvent.click(tile);
  return { tile, box: await screen.findByRole('dialog', { name: 'Photos by Ana' }) };
}

const shown = (box: HTMLElement) => within(box).getByText(/^Photo \d+ of \d+$/).textContent;
const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });

// Rule: UI-20
describe('the lightbox', () => {
  it('opens with the picture that was pressed, with its alternative text and caption', async () => {
    const { box } = await open(6, 2);
    expect(shown(box)).toBe('Photo 2 of 6');
    expect(within(box).getByText('2 / 6')).toBeTruthy();
    expect(within(box).getByRole('img', { name: 'Alt 2' }).getAttribute('src')).toBe('/media/i2/full');
    expect(within(box).getByText('Up the hill')).toBeTruthy();
  });

  it('goes on and back by the arrow keys, and wraps', async () => {
    const { box } = await open(3, 3);
    expect(within(box).getByRole('img', { name: 'Photo 3 of 3' })).toBeTruthy();
    press('ArrowRight');
    expect(shown(box)).toBe('Photo 1 of 3');
    press('ArrowLeft');
    expect(shown(box)).toBe('Photo 3 of 3');
    press('ArrowLeft');
    expect(shown(box)).toBe('Photo 2 of 3');
    press('Home');
    expect(shown(box)).toBe('Photo 1 of 3');
    press('End');
    expect(shown(box)).toBe('Photo 3 of 3');
  });

  it('goes on and back by its buttons', async () => {
    const { box } = await open(2, 2);
    await userEvent.click(within(box).getByRole('button', { name: 'Next photo' }));
    expect(shown(box)).toBe('Photo 1 of 2');
    await userEvent.click(within(box).getByRole('button', { name: 'Previous photo' }));
    expect(shown(box)).toBe('Photo 2 of 2');
  });

  it.each([2, 10])(
    'has a strip of thumbnails for %d, which shows where one is and leads to each',
    async (count) => {
      const { box } = await open(count, 1);
      const strip = within(within(box).getByRole('list')).getAllByRole('button');
      expect(strip).toHaveLength(count);
      expect(strip[0]!.getAttribute('aria-current')).toBe('true');
      await userEvent.click(strip[count - 1]!);
      expect(shown(box)).toBe(`Photo ${count} of ${count}`);
      expect(strip.map((button) => button.getAttribute('aria-current')).indexOf('true')).toBe(count - 1);
    },
  );

  it('of a single picture has neither strip nor arrows', async () => {
    const { box } = await open(1, 1);
    expect(within(box).queryByRole('list')).toBeNull();
    expect(within(box).queryByRole('button', { name: 'Next photo' })).toBeNull();
    press('ArrowRight');
    expect(within(box).getByRole('img', { name: 'Alt 1' })).toBeTruthy();
  });

  it('takes the focus and returns it to the tile, by Close and by Escape', async () => {
    const { tile, box } = await open(2, 2);
    expect(box.contains(document.activeElement)).toBe(true);
    await userEvent.click(within(box).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(tile);
    await userEvent.click(tile);
    // As a browser tells of Escape.
    fireEvent(await screen.findByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(tile);
  });

  it.each([
    ['closed by a press beside the picture', 321, false],
    ['not closed by the second press of the double press that has opened it', 320, true],
  ])('is %s', async (_what, later, isOpen) => {
    const openedAt = 1_000;
    jest.spyOn(performance, 'now').mockReturnValue(openedAt);
    const { box } = await open(2, 1);
    const stage = box.querySelector<HTMLElement>('header + div')!;
    stage.setPointerCapture = () => undefined;
    // jsdom has no events of pointers.
    for (const type of ['pointerdown', 'pointerup']) {
      const beside = new MouseEvent(type, { bubbles: true, clientX: 9, clientY: 9 });
      Object.defineProperty(beside, 'timeStamp', { value: openedAt + later });
      fireEvent(stage, Object.assign(beside, { pointerId: 1 }));
    }
    expect(screen.queryByRole('dialog') !== null).toBe(isOpen);
  });

  it('says where a picture does not load, with Retry', async () => {
    const gateway = fakeGateway();
    const { box } = await open(2, 1);
    const fail = () => fireEvent.error(within(box).getByRole('img', { name: 'Alt 1' }));
    fail();
    expect((await within(box).findByRole('alert')).textContent).toContain('Failed to load image');
    gateway.on('GET /api/posts/p1', () => aPost({ images: images(2), imageCount: 2 }));
    await userEvent.click(within(box).getByRole('button', { name: 'Retry' }));
    expect(await within(box).findByRole('img', { name: 'Alt 1' })).toBeTruthy();
    await waitFor(() => expect(within(box).queryByRole('alert')).toBeNull());
  });
});
