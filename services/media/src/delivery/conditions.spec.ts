import { rangeOf } from './conditions.js';

// Rule: MEDIA-20
describe('the part of a file of 100 bytes', () => {
  const of = (range: string | undefined, condition?: string) =>
    rangeOf({ headers: { range, 'if-range': condition } }, 100, '"etag"');

  it.each<[string, readonly [start: number, end: number]]>([
    ['bytes=0-0', [0, 0]],
    ['bytes=10-19', [10, 19]],
    ['bytes=10-', [10, 99]],
    ['bytes=99-', [99, 99]],
    ['bytes=10-100', [10, 99]],
    ['bytes=0-99999999999999999999999', [0, 99]],
    ['bytes=-1', [99, 99]],
    ['bytes=-100', [0, 99]],
    // More than there is: all of it.
    ['bytes=-101', [0, 99]],
    ['bytes=-99999999999999999999999', [0, 99]],
    ['Bytes=10-19', [10, 19]],
  ])('that %s asks for is this', (range, [start, end]) => {
    expect(of(range)).toEqual({ start, end });
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=99999999999999999999-', 'bytes=-0'])(
    'that %s asks for is not there',
    (range) => {
      expect(of(range)).toBe('unsatisfiable');
    },
  );

  it.each([
    // It ends before it begins, which makes it malformed.
    'bytes=9-3',
    'bytes=200-150',
    'bytes=-',
    'bytes=',
    'bytes=a-b',
    'bytes=1-2x',
    'bytes=--1',
    'bytes=1.5-2',
    'bytes 1-2',
    'bytes=0-1,3-4',
    'bytes=0-1,',
    'lines=1-2',
    '',
    undefined,
  ])('is all of it for %s', (range) => {
    expect(of(range)).toBeUndefined();
  });

  it('is all of it where the client has another version', () => {
    expect(of('bytes=0-1', '"other"')).toBeUndefined();
    expect(of('bytes=0-1', '"etag"')).toEqual({ start: 0, end: 1 });
  });
});
