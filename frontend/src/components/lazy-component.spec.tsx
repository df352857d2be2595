import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Suspense, useState } from 'react';
import type { ComponentType } from 'react';
import { Link, Route, Routes, useLocation } from 'react-router-dom';
import { aPageAround } from '../../test/render.js';
import { Crashed } from '../app/shell/crashed.js';
import { ErrorBoundary } from './error-boundary.js';
import { clearFeedback, getFeedback } from './feedback/feedback-store.js';
import { lazyComponent } from './lazy-component.js';
import { LazyDialog } from './lazy-dialog.js';

/** Whether loads fail. React may load more than once before it gives up. */
let away: boolean;

const loading = (component: ComponentType) =>
  jest.fn(async () => {
    if (away) throw new TypeError('Failed to fetch dynamically imported module');
    return component;
  });

beforeEach(() => {
  away = true;
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  clearFeedback();
  jest.restoreAllMocks();
});

// Rule: UI-42
describe('a page whose code could not be loaded', () => {
  it('is loaded again at the next navigation, and not before', async () => {
    const load = loading(() => 'the page');
    const Page = lazyComponent(load);

    function Pages() {
      return (
        <ErrorBoundary resetKey={useLocation().key} fallback="broken">
          <Suspense fallback="loading">
            <Routes>
              <Route path="/" element="home" />
              <Route path="/page" element={<Page />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      );
    }
    render(
      <>
        <Link to="/page">go</Link>
        <Pages />
      </>,
      { wrapper: aPageAround().wrapper },
    );
    fireEvent.click(screen.getByText('go'));
    await screen.findByText('broken');
    expect(load.mock.calls.length).toBeLessThanOrEqual(2);
    away = false;
    fireEvent.click(screen.getByText('go'));
    await screen.findByText('the page');
  });
});

describe('a page whose code could not be loaded, in the shell', () => {
  it('is loaded again in place by Try again', async () => {
    const Page = lazyComponent(loading(() => 'the page'));
    render(
      <ErrorBoundary fallback={(error, retry) => <Crashed error={error} onRetry={retry} />}>
        <Suspense fallback="loading">
          <Page />
        </Suspense>
      </ErrorBoundary>,
      { wrapper: aPageAround().wrapper },
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByText('This did not load.');
    away = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('the page');
  });

  // Rule: UI-53
  it('is loaded again when the network is back', async () => {
    const Page = lazyComponent(loading(() => 'the page'));
    render(
      <ErrorBoundary fallback={(error, retry) => <Crashed error={error} onRetry={retry} />}>
        <Suspense fallback="loading">
          <Page />
        </Suspense>
      </ErrorBoundary>,
      { wrapper: aPageAround().wrapper },
    );
    await screen.findByText('This did not load.');
    away = false;
    act(() => void window.dispatchEvent(new Event('online')));
    await screen.findByText('the page');
  });

  it('is told from a page that broke, which only a reload mends', async () => {
    const Broken = () => {
      throw new Error('broken');
    };
    render(
      <ErrorBoundary fallback={(error, retry) => <Crashed error={error} onRetry={retry} />}>
        <Broken />
      </ErrorBoundary>,
      { wrapper: aPageAround().wrapper },
    );
    await screen.findByText('Something went wrong on this page.');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

// Rule: UI-42
describe('a dialog whose code could not be loaded', () => {
  it('closes with a toast, leaves the page, and comes when it is opened again', async () => {
    const Inside = lazyComponent(loading(() => 'the dialog'));

    function Page() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <button onClick={() => setOpen(true)}>open</button>
          {open && (
            <LazyDialog onClose={() => setOpen(false)}>
              <Inside />
            </LazyDialog>
          )}
        </>
      );
    }
    render(<Page />, { wrapper: aPageAround().wrapper });
    fireEvent.click(screen.getByText('open'));
    await waitFor(() =>
      expect(getFeedback().toasts).toMatchObject([{ type: 'error', message: 'This did not load.' }]),
    );
    expect(screen.getByText('open')).toBeTruthy();
    away = false;
    fireEvent.click(screen.getByText('open'));
    await screen.findByText(/the dialog/);
  });
});
