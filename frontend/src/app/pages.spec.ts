import { describe, expect, it } from '@jest/globals';
import { matchRoutes } from 'react-router-dom';
import { PAGES, pageAt } from './pages.js';

const routes = PAGES.map(({ path }) => ({ path }));

// Rule: UI-1
describe('the page at an address', () => {
  it.each([
    '/',
    '/login',
    '/feed',
    '/feed/',
    '/Feed',
    '/profile',
    '/profile/u1',
    '/dashboard',
    '/subscriptions',
    '/coach/dashboard',
    '/coaches',
    '/coaches/u1',
    '/post/p1',
    '/messages',
    '/settings',
    '/forgot-password',
    '/reset-password',
    '/verify-email',
    '/unsubscribe',
    '/anna',
    '/anna/deeper',
    '/post/p1/deeper',
    '/not/a/page',
    '/post',
    '/post/',
    '/coach',
    '//evil.com',
    '/post//p1',
    '/feed//',
    '//',
  ])('is for %s the one that the router shows', (path) => {
    const [match] = matchRoutes(routes, path)!;
    expect(pageAt(path).page.path).toBe(match!.route.path);
    if (match!.route.path !== '*') expect(pageAt(path).params).toEqual(match!.params);
  });

  // Rule: UI-6
  it.each(['/post', '/post/', '/coach', '/coach/', '//evil.com'])('is for %s that of no page', (path) => {
    const { page } = pageAt(path);
    expect(page.load).toBe(PAGES.at(-1)!.load);
    expect(page.early).toBeUndefined();
  });

  it('has its parameters encoded as in the path of a call, however they are written', () => {
    expect(pageAt('/@anna').params).toEqual({ username: '%40anna' });
    expect(pageAt('/%40anna').params).toEqual({ username: '%40anna' });
    expect(pageAt('/%zz').params).toEqual({ username: '%zz' });
  });
});
