import { describe, expect, it } from '@jest/globals';
import { PAGES } from '../src/app/pages.js';
import { PAGE_TEXTS } from './page-texts.js';

// Rule: HTTP-27
describe('what the gateway says in the place of a page', () => {
  it('is known for every page', () => {
    expect(Object.keys(PAGE_TEXTS).sort()).toEqual(PAGES.map(({ path }) => path).sort());
  });

  it('is what the page says itself', () => {
    expect(PAGE_TEXTS).toMatchObject({
      '/': {
        title: 'Pulso',
        about: { title: 'Pulso', description: expect.stringMatching(/^Pulso is a social network/) },
      },
      '/login': { title: 'Sign in · Pulso' },
      '/coaches': {
        about: { title: 'Fitness Coaches', description: 'Find somebody whose training speaks to you.' },
      },
      '/post/:postId': { missing: { title: 'Post Not Found · Pulso', heading: 'Post Not Found' } },
      '*': { missing: { heading: '404 - Page Not Found', home: 'Go to the home page' } },
    });
  });
});
