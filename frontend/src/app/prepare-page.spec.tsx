import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { fakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';

jest.unstable_mockModule('../pages/login-page.js', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
// After the mock: it imports the module that is replaced.
const { session } = await import('../server/session/session.js');
const { AppRoutes, preparePage } = await import('./routes.js');

beforeEach(async () => {
  fakeGateway();
  await session.boot(false);
  globalThis.scrollTo = () => undefined;
});
afterEach(cleanup);

// Rule: UI-68
it('brings the code of a page and that of queries, so that the first thing that is rendered is the page', async () => {
  const queries = await preparePage('/coaches');
  expect(queries?.seedQueries).toBeInstanceOf(Function);
  render(<AppRoutes />, { wrapper: aPageAround({ path: '/coaches' }).wrapper });
  expect(screen.getByRole('heading', { level: 1, name: 'Fitness Coaches' })).toBeTruthy();
});

it('brings no queries for a page that does without', async () => {
  expect(await preparePage('/')).toBeUndefined();
});

it('brings the queries also where the code of the page fails, which the page tells itself', async () => {
  expect((await preparePage('/login'))?.seedQueries).toBeInstanceOf(Function);
});
