import { Visibility as WireVisibility } from '@pulso/contracts/posts/v1/posts';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import { readVisibility, WIRE_VISIBILITY } from './visibility.js';

function read(wire: WireVisibility | undefined) {
  const problems = new FieldProblems();
  const visibility = readVisibility(wire, problems);
  problems.check();
  return visibility;
}

describe('the visibility in a request', () => {
  it('is the one that answers show', () => {
    const all = Object.values(WIRE_VISIBILITY).map(read);
    expect(all).toEqual(Object.keys(WIRE_VISIBILITY));
    expect(all).toEqual(['public', 'subscribers']);
  });

  it('may be absent', () => {
    expect([undefined, WireVisibility.VISIBILITY_UNSPECIFIED].map(read)).toEqual([undefined, undefined]);
  });

  it.each([WireVisibility.UNRECOGNIZED, 99])('is refused as %s', (unknown) => {
    expect(() => read(unknown)).toThrow('Must be public or subscribers');
  });
});
