import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render } from '@testing-library/react';
import { Avatar } from './avatar.js';

afterEach(cleanup);

const drawn = (profileImage: string) =>
  render(<Avatar user={{ name: 'Somebody', profileImage }} />).container.firstElementChild!;

// Rule: MEDIA-7
describe('Avatar', () => {
  it('draws the initial of the gateway’s image itself, without a request and outside of the page’s text', () => {
    const initial = drawn('/api/avatars/%C3%91.svg');
    expect(initial.tagName).toBe('SPAN');
    expect(initial.getAttribute('data-letter')).toBe('Ñ');
    expect(initial.textContent).toBe('');
    expect(initial.getAttribute('aria-hidden')).toBe('true');
  });

  it('draws a figure for a name without a letter', () => {
    const figure = drawn('/api/avatars/-.svg');
    expect(figure.hasAttribute('data-letter')).toBe(false);
    expect(figure.querySelector('svg')).toBeTruthy();
  });

  it('shows a picture of the user’s own, with its size known beforehand', () => {
    const picture = drawn('/media/ana.jpg');
    expect(picture.getAttribute('src')).toBe('/media/ana.jpg');
    expect([picture.getAttribute('width'), picture.getAttribute('height')]).toEqual(['40', '40']);
    expect(picture.getAttribute('alt')).toBe('');
  });
});
