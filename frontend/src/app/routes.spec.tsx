import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { fakeGateway } from '../../test/fake-gateway.js';
import type { FakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';
import { findLinks } from '../components/written-text/links.js';
import { PAGES } from './pages.js';
import { AppRoutes } from './routes.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  globalThis.scrollTo = () => undefined;
});
afterEach(cleanup);

const visit = (path: string) => render(<AppRoutes />, { wrapper: aPageAround({ path }).wrapper });

// Rule: UI-46
it('a page has a heading while its code is loading', async () => {
  visit('/coaches');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Coaches');
  expect(await screen.findByRole('heading', { level: 1, name: 'Fitness Coaches' })).toBeTruthy();
});

// Rule: UI-6
describe('an address', () => {
  it('that begins with a literal segment is nobody who could be mentioned', () => {
    const segments = PAGES.map(({ path }) => path.split('/')[1]!).filter((segment) => /^[a-z]/.test(segment));
    expect(segments).toEqual(expect.arrayContaining(['feed', 'messages']));
    expect(segments.filter((segment) => findLinks(`@${segment}`).some(({ to }) => to))).toEqual([]);
  });

  it('of one segment is a username otherwise', async () => {
    visit('/nobody');
    expect(await screen.findByRole('heading', { name: 'User Not Found' })).toBeTruthy();
    expect(gateway.calls).toEqual(['GET /api/users/by-username/nobody']);
  });
});
