import { avatarSvg, avatarUrl, isAvatarLetter } from './avatar.js';

// Rule: MEDIA-7
describe('avatarUrl', () => {
  it.each([
    ['Ana Torres', 'A'],
    ['ana', 'A'],
    ['  "Zoë"', 'Z'],
    ['ñandú', '%C3%91'],
    ['ßharp', 'S'],
    ['жанна', '%D0%96'],
    ['漢字', '%E6%BC%A2'],
    ['7up', '7'],
    ['💪🏽', '-'],
    ['', '-'],
  ])('of %j is the image of %s', (name, letter) => {
    const url = avatarUrl(name);
    expect(url).toBe(`/api/avatars/${letter}.svg`);
    expect(isAvatarLetter(decodeURIComponent(letter))).toBe(true);
  });
});

// Rule: MEDIA-7
describe('avatarSvg', () => {
  it('draws the letter, or a figure', () => {
    expect(avatarSvg('A')).toMatch(/^<svg .*width="96" height="96".*>A<\/text><\/svg>$/);
    expect(avatarSvg('-')).toContain('<circle');
  });

  it('has enough contrast for its white text', () => {
    const linear = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    for (let code = 65; code < 65 + 8; code += 1) {
      const colour = /fill="#(\w{6})"/.exec(avatarSvg(String.fromCharCode(code)))![1]!;
      const [r, g, b] = [0, 2, 4].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
      const luminance = 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
      expect(1.05 / (luminance + 0.05)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
