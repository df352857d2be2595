import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { Link, Route, Routes, useLocation } from 'react-router-dom';
import { aPageAround } from '../../test/render.js';
import { lazyPage } from './lazy-page.js';
import { ErrorBoundary } from './shell/error-boundary.js';

describe('a page whose code could not be loaded', () => {
  it('is loaded again at the next navigation, and not before', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const load = jest.fn<() => Promise<{ default: () => string }>>();
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
    load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
    load.mockResolvedValue({ default: () => 'the page' });
    const Page = lazyPage(load);

    function Pages() {
      return (
        <ErrorBoundary resetKey={useLocation().key}>
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
    await screen.findByRole('alert');
    const tries = load.mock.calls.length;
    expect(tries).toBeLessThanOrEqual(2);
    fireEvent.click(screen.getByText('go'));
    await screen.findByText('the page');
    jest.restoreAllMocks();
  });
});
