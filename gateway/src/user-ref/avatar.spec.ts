import { TINTS, avatarSvg, avatarUrl, isAvatarLetter } from './avatar.js';
import { GLYPHS } from './avatar-glyphs.js';

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
  it('draws Latin letters and digits as outlines, other letters as text, and a figure without one', () => {
    for (const letter of ['A', 'Ñ', '7']) {
      expect(avatarSvg(letter)).toMatch(/^<svg .*width="96" height="96".*<path d="M[^"]+Z"\/><\/g><\/svg>$/);
    }
    expect(avatarSvg('Ж')).toContain('>Ж</text>');
    expect(avatarSvg('-')).toContain('<circle');
  });

  it('keeps every outline inside of the round picture', () => {
    for (const [letter, outline] of GLYPHS) {
      const values = outline.match(/-?\d+(\.\d+)?/g)!.map(Number);
      expect({ letter, outside: values.filter((value) => value < 12 || value > 84) }).toEqual({
        letter,
        outside: [],
      });
    }
  });

  it('has enough contrast on each of its tints', () => {
    const linear = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const luminance = (colour: string) => {
      const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255));
      return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
    };
    for (const [fill, ink] of TINTS) {
      expect((luminance(fill) + 0.05) / (luminance(ink) + 0.05)).toBeGreaterThanOrEqual(7);
    }
    expect(
      new Set([...'ABCDEFGHIJ'].map((letter) => /fill="(#\w{6})"/.exec(avatarSvg(letter))![1])).size,
    ).toBe(10);
  });
});
