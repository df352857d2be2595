import { Visibility as WireVisibility } from '@pulso/contracts/posts/v1/posts';
import { readVisibility, WIRE_VISIBILITY } from './visibility-field.js';

describe('the visibility in a request', () => {
  it('is the one that answers show', () => {
    const read = Object.values(WIRE_VISIBILITY).map(readVisibility);
    expect(read).toEqual(Object.keys(WIRE_VISIBILITY));
    expect(read).toEqual(['public', 'subscribers']);
  });

  it('may be absent', () => {
    expect([undefined, WireVisibility.VISIBILITY_UNSPECIFIED].map(readVisibility)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([WireVisibility.UNRECOGNIZED, 99])('is refused as %s', (unknown) => {
    expect(() => readVisibility(unknown)).toThrow('Must be public or subscribers');
  });
});
