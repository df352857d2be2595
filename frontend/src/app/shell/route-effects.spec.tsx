import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import { RouteEffects } from './route-effects.js';

/** The height of the page that is shown, which bounds how far it can be scrolled. */
let height: number;
let grown: () => void;
/** Every test has a history entry of its own: positions are remembered by entry. */
let entry = 0;
const observers = globalThis.ResizeObserver;

beforeEach(() => {
  height = 5000;
  window.scrollY = 0;
  window.scrollTo = ((_x: number, y: number) => {
    window.scrollY = Math.min(y, height);
    window.dispatchEvent(new Event('scroll'));
  }) as typeof scrollTo;
  globalThis.ResizeObserver = class {
    constructor(callback: () => void) {
      grown = callback;
    }
    observe() {}
    unobserve() {}
    disconnect() {
      grown = () => undefined;
    }
  } as unknown as typeof ResizeObserver;
  history.pushState({ key: `feed-${++entry}` }, '', '/feed');
});
afterEach(() => {
  cleanup();
  globalThis.ResizeObserver = observers;
});

let posts: string[];

function Feed() {
  return posts.map((id) => (
    <article key={id} data-post={id} tabIndex={-1}>
      <Link to={`/post/${id}`}>{id}</Link>
    </article>
  ));
}

function open() {
  const page = () => (
    <BrowserRouter>
      <main id="main" tabIndex={-1}>
        <Link to="/feed?tab=reviews" replace>
          note
        </Link>
        <Routes>
          <Route path="/feed" element={<Feed />} />
          <Route path="*" element={<h1>A post</h1>} />
        </Routes>
      </main>
      <RouteEffects />
    </BrowserRouter>
  );
  const { rerender } = render(page());
  return { again: () => rerender(page()) };
}

const back = () =>
  act(async () => {
    const arrived = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
    history.back();
    await arrived;
  });

const scroll = (y: number) => act(() => window.scrollTo(0, y));

// Rule: UI-36
it('a page stays where it is when Back closes what covered it', async () => {
  posts = ['p1'];
  open();
  await userEvent.click(screen.getByText('p1'));
  history.pushState(history.state, '');
  scroll(300);
  const scrollTo = jest.spyOn(window, 'scrollTo');
  await back();
  expect(scrollTo).not.toHaveBeenCalled();
  expect(window.scrollY).toBe(300);
});

// Rule: UI-25
it('a page that changes its own address stays where it is', async () => {
  posts = ['p1'];
  open();
  scroll(1200);
  await userEvent.click(screen.getByText('note'));
  expect(location.search).toBe('?tab=reviews');
  expect(window.scrollY).toBe(1200);
});

// Rule: UI-52
describe('going back', () => {
  it('returns to the scroll position and the post that was opened', async () => {
    posts = ['p1', 'p2'];
    open();
    scroll(1200);
    await userEvent.click(screen.getByText('p2'));
    expect(screen.getByText('A post')).toBeTruthy();
    expect(window.scrollY).toBe(0);
    expect(document.activeElement?.id).toBe('main');
    await back();
    expect(window.scrollY).toBe(1200);
    await waitFor(() => expect(document.activeElement?.getAttribute('data-post')).toBe('p2'));
  });

  it('does so too when the page has to be read again, as it grows', async () => {
    posts = ['p1', 'p2'];
    open();
    scroll(1200);
    await userEvent.click(screen.getByText('p2'));
    cleanup();

    posts = [];
    const page = open();
    height = 0;
    await back();
    expect(window.scrollY).toBe(0);
    posts = ['p1', 'p2'];
    height = 700;
    page.again();
    act(() => grown());
    expect(window.scrollY).toBe(700);
    expect(document.activeElement?.getAttribute('data-post')).toBe('p2');
    height = 5000;
    act(() => grown());
    expect(window.scrollY).toBe(1200);
  });

  it('stops once the user scrolls', async () => {
    posts = ['p1'];
    open();
    scroll(1200);
    await userEvent.click(screen.getByText('p1'));
    height = 300;
    await back();
    window.dispatchEvent(new Event('wheel'));
    height = 5000;
    act(() => grown());
    // Nor does what was to be done right after the page was shown.
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(window.scrollY).toBe(300);
  });
});
