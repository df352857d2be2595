import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPost } from '../../../../test/a-post.js';
import { anImage } from '../../../../test/an-image.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Post } from '../../../api/types.js';
import { PostGlimpse } from '../components/post-glimpse.js';
import { PostCard } from '../components/post-card.js';
import { usePost } from '../api/get-post.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('GET /api/posts/p1/comments', () => ({ items: [], nextCursor: null }));
});
afterEach(cleanup);

const images = (count: number, expires = '') =>
  Array.from({ length: count }, (_, index) => {
    const id = `i${index + 1}`;
    const caption = index === 1 ? 'The second' : '';
    return anImage({
      id,
      url: `/media/${id}/full${expires}`,
      thumbnail: `/media/${id}/thumbnail${expires}`,
      alt: `Alt of ${id}`,
      caption,
    });
  });
const withImages = (count: number, expires = '', over: Partial<Post> = {}) =>
  aPost({ images: images(count, expires), imageCount: count, ...over });

const show = (post: Post) => render(<PostCard post={post} />, aPageAround());
const tiles = () => screen.queryAllByRole('button', { name: /^Open photo/ });
const pictureIn = (tile: HTMLElement) => tile.querySelector('img')!;

// Rule: UI-20
describe('the pictures of a card', () => {
  it.each([1, 2, 3, 4, 5])('are all %d, each a button with its place and alternative text', (count) => {
    show(withImages(count));
    expect(tiles()).toHaveLength(count);
    const name = count === 1 ? 'Open photo Alt of i1' : `Open photo ${count} of ${count} Alt of i${count}`;
    expect(screen.getByRole('button', { name })).toBeTruthy();
  });

  it.each([6, 10])('are five of %d, and the fifth tells how many more', (count) => {
    show(withImages(count));
    expect(tiles()).toHaveLength(5);
    const last = screen.getByRole('button', {
      name: `Open photo 5 of ${count} Alt of i5 and ${count - 5} more`,
    });
    expect(within(last).getByText(`+${count - 5}`)).toBeTruthy();
  });

  it('are named after their author where nobody has described them', () => {
    const [first] = images(1);
    show(withImages(1, '', { images: [{ ...first!, alt: '' }] }));
    expect(pictureIn(tiles()[0]!).alt).toBe(`Photo by ${aPost().author.name}`);
  });

  it('are none without pictures, and the text is left out of a post that has none', () => {
    show(aPost());
    expect(document.querySelector('[data-pictures]')).toBeNull();
    cleanup();
    show(withImages(1, '', { content: '' }));
    expect(tiles()).toHaveLength(1);
    expect(document.querySelectorAll('article p')).toHaveLength(0);
  });

  it('come with the post that the landing page shows', () => {
    render(<PostGlimpse post={withImages(2)} />, aPageAround());
    expect(tiles()).toHaveLength(2);
  });

  it('load at once in the first post, elsewhere as they come near', () => {
    render(<PostCard post={withImages(1)} inList={{ position: 1, of: 2 }} />, aPageAround());
    expect(pictureIn(tiles()[0]!).getAttribute('loading')).toBe('eager');
    cleanup();
    render(<PostCard post={withImages(1)} inList={{ position: 2, of: 2 }} />, aPageAround());
    expect(pictureIn(tiles()[0]!).getAttribute('loading')).toBe('lazy');
  });
});

// Rule: POST-6
it('a locked card tells how many photos there are, and nothing else of them', () => {
  show(aPost({ locked: true, images: [], imageCount: 3, visibility: 'subscribers' }));
  expect(screen.getByText('3 photos')).toBeTruthy();
  expect(document.querySelectorAll('article img')).toHaveLength(0);
  expect(tiles()).toEqual([]);
  cleanup();
  show(aPost({ locked: true, imageCount: 0, visibility: 'subscribers' }));
  expect(screen.queryByText(/photo/)).toBeNull();
});

// Rule: MEDIA-5, MEDIA-19
describe('a picture that does not load', () => {
  const reads = () => gateway.calls.filter((call) => call === 'GET /api/posts/p1').length;

  /** The post as the cache has it, as a page shows it. */
  function Shown() {
    const { data } = usePost('p1');
    return data ? <PostCard post={data} /> : null;
  }
  const showCached = (post: Post) => {
    const { queryClient, wrapper } = aPageAround();
    queryClient.setDefaultOptions({ queries: { retry: false, staleTime: Infinity } });
    queryClient.setQueryData(queryKeys.posts.one('p1'), post);
    render(<Shown />, { wrapper });
  };

  it('has its post read again, once for all of them, and is asked for at its new address', async () => {
    gateway.on('GET /api/posts/p1', () => withImages(3, '?expires=2'));
    showCached(withImages(3, '?expires=1'));
    for (const tile of tiles()) fireEvent.error(pictureIn(tile));
    await waitFor(() =>
      expect(tiles().map((tile) => pictureIn(tile).getAttribute('src'))).toEqual(
        images(3, '?expires=2').map(({ url }) => url),
      ),
    );
    expect(reads()).toBe(1);
  });

  it('says so where that does not help, and Retry tries once more', async () => {
    gateway.on('GET /api/posts/p1', () => withImages(1, '?expires=1'));
    showCached(withImages(1, '?expires=1'));
    const first = pictureIn(tiles()[0]!);
    fireEvent.error(first);
    // The same address: a new element asks for it again.
    await waitFor(() => expect(pictureIn(tiles()[0]!)).not.toBe(first));
    fireEvent.error(pictureIn(tiles()[0]!));
    const failed = await screen.findByRole('button', { name: 'Failed to load image Retry' });
    expect(reads()).toBe(1);
    await userEvent.click(failed);
    const again = await screen.findByRole('button', { name: /^Open photo/ });
    expect(reads()).toBe(2);
    fireEvent.load(pictureIn(again));
    expect(pictureIn(again).hasAttribute('data-loaded')).toBe(true);
  });

  it('says so where the post cannot be read, and tries again when the network is back', async () => {
    gateway.on('GET /api/posts/p1', () => problem(503, 'unavailable'));
    showCached(withImages(1, '?expires=1'));
    fireEvent.error(pictureIn(tiles()[0]!));
    await screen.findByRole('button', { name: /^Failed to load image/ });
    gateway.on('GET /api/posts/p1', () => withImages(1, '?expires=2'));
    act(() => void window.dispatchEvent(new Event('online')));
    const tile = await screen.findByRole('button', { name: /^Open photo/ });
    expect(pictureIn(tile).getAttribute('src')).toBe('/media/i1/full?expires=2');
  });

  it('locks its card where the post is locked by now', async () => {
    gateway.on('GET /api/posts/p1', () => aPost({ locked: true, images: [], imageCount: 1 }));
    showCached(withImages(1, '?expires=1'));
    fireEvent.error(pictureIn(tiles()[0]!));
    expect(await screen.findByText(/^This post is for subscribers only/)).toBeTruthy();
    expect(screen.getByText('1 photo')).toBeTruthy();
  });

  it('keeps the address that has loaded, though a later reading of the post brings a new one', () => {
    const { rerender } = render(<PostCard post={withImages(1, '?expires=1')} />, aPageAround());
    fireEvent.load(pictureIn(tiles()[0]!));
    rerender(<PostCard post={withImages(1, '?expires=2')} />);
    expect(pictureIn(tiles()[0]!).getAttribute('src')).toBe('/media/i1/full?expires=1');
    fireEvent.error(pictureIn(tiles()[0]!));
    expect(pictureIn(tiles()[0]!).getAttribute('src')).toBe('/media/i1/full?expires=2');
  });
});
