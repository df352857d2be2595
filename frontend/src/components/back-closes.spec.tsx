import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode, useState } from 'react';
import { BrowserRouter, Link, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { RouteEffects } from '../app/shell/route-effects.js';
import { NavigatesOnceLeft } from './back-closes.js';
import { Dialog } from './dialog.js';

const realMatchMedia = globalThis.matchMedia;
let phone: boolean;
beforeEach(() => {
  phone = true;
  globalThis.matchMedia = (query) => ({ ...realMatchMedia(query), matches: phone });
  globalThis.scrollTo = jest.fn() as typeof scrollTo;
  history.pushState(null, '', '/coaches');
  history.pushState(null, '', '/feed?q=1');
});
afterEach(() => {
  cleanup();
  globalThis.matchMedia = realMatchMedia;
});

function Address() {
  const { pathname, search } = useLocation();
  return <h1>{pathname + search}</h1>;
}

function Feed() {
  const [open, setOpen] = useState(false);
  const [second, setSecond] = useState(false);
  const [over, setOver] = useState(false);
  if (over) return <Navigate to="/login" replace />;
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <button onClick={() => setOver(true)}>End</button>
      {open && (
        <Dialog title="Write" onClose={() => setOpen(false)}>
          <Link to="/elsewhere">Away</Link>
          <button onClick={() => setSecond(true)}>Ask</button>
          <button
            onClick={() => {
              setOpen(false);
              setSecond(true);
            }}
          >
            Instead
          </button>
        </Dialog>
      )}
      {second && (
        <Dialog title="Sure?" onClose={() => setSecond(false)}>
          <p>Really</p>
        </Dialog>
      )}
    </>
  );
}

const dialog = () => screen.queryByRole('dialog');
const place = () => screen.getByRole('heading', { level: 1 }).textContent;
const entryNow = () => (history.state as { usr?: { dialog?: number } | null } | null)?.usr?.dialog;
const inDialogEntry = () => entryNow() !== undefined;
const traverse = (by: -1 | 1) =>
  act(
    () =>
      new Promise<void>((resolve, reject) => {
        const lost = new Error(`history.go(${by}) led nowhere from ${location.href}`);
        const limit = setTimeout(() => reject(lost), 60_000);
        const arrived = () => {
          clearTimeout(limit);
          resolve();
        };
        window.addEventListener('popstate', arrived, { once: true });
        history.go(by);
      }),
  );

function show() {
  const page = (
    <StrictMode>
      <MantineProvider env="test">
        <BrowserRouter>
          <NavigatesOnceLeft>
            <Address />
            <Routes>
              <Route path="/feed" element={<Feed />} />
              <Route path="*" element={null} />
            </Routes>
            <RouteEffects />
          </NavigatesOnceLeft>
        </BrowserRouter>
      </MantineProvider>
    </StrictMode>
  );
  return render(page);
}

async function open() {
  show();
  const before = history.length;
  const scrolled = jest.mocked(scrollTo).mock.calls.length;
  await userEvent.click(screen.getByText('Open'));
  if (phone) await waitFor(() => expect(inDialogEntry()).toBe(true));
  return {
    entries: () => history.length - before,
    scrolls: () => jest.mocked(scrollTo).mock.calls.length - scrolled,
  };
}

// Rule: UI-36
describe('a dialog on a phone', () => {
  it('has one history entry of the same address, and Back closes it there', async () => {
    const { entries } = await open();
    expect(entries()).toBe(1);
    await traverse(-1);
    expect(dialog()).toBeNull();
    expect(place()).toBe('/feed?q=1');
    await traverse(-1);
    expect(place()).toBe('/coaches');
  });

  it('takes its entry away when it is closed otherwise', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(inDialogEntry()).toBe(false));
    await traverse(-1);
    expect(place()).toBe('/coaches');
  });

  it('is not come upon by Forward', async () => {
    await open();
    await traverse(-1);
    await traverse(1);
    await waitFor(() => expect(inDialogEntry()).toBe(false));
    expect(dialog()).toBeNull();
    expect(place()).toBe('/feed?q=1');
  });

  it('is not come upon by a reload, which is left with one step', async () => {
    history.pushState({ usr: { dialog: 99 }, key: 'reloaded' }, '', '/feed?q=1');
    show();
    await waitFor(() => expect(inDialogEntry()).toBe(false));
    expect(dialog()).toBeNull();
    expect(place()).toBe('/feed?q=1');
    await traverse(-1);
    expect(place()).toBe('/coaches');
  });

  it('is not come upon by Back from where a link in it has led', async () => {
    await open();
    await userEvent.click(screen.getByText('Away'));
    expect(place()).toBe('/elsewhere');
    await traverse(-1);
    await waitFor(() => expect(inDialogEntry()).toBe(false));
    expect(place()).toBe('/feed?q=1');
  });

  it('is not come upon by Forward to where a link in it has led', async () => {
    await open();
    await userEvent.click(screen.getByText('Away'));
    await traverse(-1);
    await waitFor(() => expect(inDialogEntry()).toBe(false));
    expect(place()).toBe('/feed?q=1');
    await traverse(1);
    await waitFor(() => expect(place()).toBe('/elsewhere'));
  });

  it('leaves the page behind it where it is', async () => {
    const { scrolls } = await open();
    await userEvent.click(screen.getByText('Away'));
    expect(place()).toBe('/elsewhere');
    // Only the new page.
    expect(scrolls()).toBe(1);
  });

  it('is closed by Back after the one above it', async () => {
    await open();
    const first = entryNow();
    await userEvent.click(screen.getByText('Ask'));
    await waitFor(() => expect(entryNow()).not.toBe(first));
    await traverse(-1);
    expect(screen.queryByText('Really')).toBeNull();
    expect(dialog()).not.toBeNull();
    await traverse(-1);
    expect(dialog()).toBeNull();
    expect(place()).toBe('/feed?q=1');
  });

  it('has an entry of its own where it takes the place of another', async () => {
    const { entries } = await open();
    const first = entryNow();
    await userEvent.click(screen.getByText('Instead'));
    await waitFor(() => expect(entryNow()).toBeGreaterThan(first!));
    expect(screen.getByText('Really')).toBeTruthy();
    expect(entries()).toBe(1);
    await traverse(-1);
    expect(dialog()).toBeNull();
    expect(place()).toBe('/feed?q=1');
  });

  it.each([
    ['one', ['Open']],
    ['two', ['Open', 'Ask']],
  ])('is left by a page that leads elsewhere in place of itself, with %s open', async (_, presses) => {
    show();
    for (const press of presses) {
      const last = entryNow();
      await userEvent.click(screen.getByText(press));
      await waitFor(() => expect(entryNow()).not.toBe(last));
    }
    fireEvent.click(screen.getByText('End'));
    await waitFor(() => expect(place()).toBe('/login'));
    expect(location.pathname).toBe('/login');
    // Nothing of it is left behind.
    await traverse(-1);
    expect(place()).toBe('/coaches');
  });

  it('leaves no limit behind that would let a later navigation go before its time', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    await open();
    fireEvent.click(screen.getByText('End'));
    await waitFor(() => expect(place()).toBe('/login'));
    const limits = set.mock.calls.flatMap(([go], index) =>
      (go as () => void).name === 'goOn' ? [set.mock.results[index]!.value] : [],
    );
    expect(limits).not.toEqual([]);
    expect(cleared.mock.calls.map(([timer]) => timer as unknown)).toEqual(expect.arrayContaining(limits));
  });

  it('is closed by Back while the page leads elsewhere', async () => {
    await open();
    act(() => {
      history.back();
      screen.getByText('End').click();
    });
    await waitFor(() => expect(place()).toBe('/login'));
    expect(dialog()).toBeNull();
  });

  it('has no entry on a wide screen', async () => {
    phone = false;
    const { entries } = await open();
    expect(dialog()).not.toBeNull();
    // An entry of the dialog would be the one that Back leaves.
    await traverse(-1);
    expect(place()).toBe('/coaches');
    expect(entries()).toBe(0);
  });
});
