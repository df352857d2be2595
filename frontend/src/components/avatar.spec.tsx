import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, render } from '@testing-library/react';
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

  it.each([
    ['Somebody', 'S'],
    ['  ßtraße', 'S'],
    ['7 lives', '7'],
    ['…', null],
  ])('draws the initial of %s without a picture', (name, letter) => {
    const { container } = render(<Avatar user={{ name, profileImage: null }} />);
    expect(container.querySelector('span')!.getAttribute('data-letter')).toBe(letter);
  });

  // Rule: MEDIA-22
  it('draws the initial for a picture that does not load, and shows the next one', () => {
    const shown = (profileImage: string) => <Avatar user={{ name: 'Élodie', profileImage }} />;
    const { container, rerender } = render(shown('/media/hidden/avatar'));
    fireEvent.error(container.querySelector('img')!);
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector('span')!.getAttribute('data-letter')).toBe('É');
    rerender(shown('/media/next/avatar'));
    expect(container.querySelector('img')!.getAttribute('src')).toBe('/media/next/avatar');
  });
});
