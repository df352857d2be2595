import { compareUuids, formatUuid, leastIdAt, parseUuid, timeOf } from './uuid-words.js';

describe('UUID words', () => {
  it('convert canonical text and back unchanged', () => {
    for (const text of [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '019a9d3c-8f00-7abc-8def-0123456789ab',
    ]) {
      expect(formatUuid(parseUuid(text))).toBe(text);
    }
  });

  it('distinguish ids whose texts share a cache slot', () => {
    const texts = ['019a9d3c-8f00-7abc-8def-0123456789ab', '019a9d3c-8f00-7abc-8def-1123456789ab'];
    for (const text of [...texts, ...texts, texts[1]!]) expect(formatUuid(parseUuid(text))).toBe(text);
  });

  it('contain the time of a UUIDv7', () => {
    expect(timeOf(parseUuid('0199a0b1-c2d3-7000-8000-000000000000'))).toBe(0x0199a0b1c2d3);
    expect(formatUuid(leastIdAt(0x0199a0b1c2d3))).toBe('0199a0b1-c2d3-0000-0000-000000000000');
  });

  it.each([
    '',
    '019A9D3C-8F00-7ABC-8DEF-0123456789AB',
    '019a9d3c8f007abc8def0123456789ab',
    '019a9d3c-8f00-7abc-8def-0123456789a',
    '019a9d3c-8f00-7abc-8def-0123456789ag',
    '019a9d3c-8f00-7abc-8def-0123456789ab\n',
  ])('refuse %j', (text) => {
    expect(() => parseUuid(text)).toThrow(RangeError);
  });

  it.each([-1, 0.5, 2 ** 48, NaN])('have no id for the time %d', (time) => {
    expect(() => leastIdAt(time)).toThrow(RangeError);
  });

  it('order like their text, in every word', () => {
    const ascending = [
      '00000000-0000-0000-0000-0000000000ff',
      '00000000-0000-0000-0000-000100000000',
      '00000000-0000-0000-0000-0001ffffffff',
      '00000000-0000-0000-8000-000000000000',
      '00000000-0000-7000-8000-000000000000',
      '00000000-8000-7000-8000-000000000000',
      '80000000-0000-7000-8000-000000000000',
    ];
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) {
        expect(Math.sign(compareUuids(parseUuid(a), parseUuid(b)))).toBe(Math.sign(i - j));
      }
    }
  });
});
