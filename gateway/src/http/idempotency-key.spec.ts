import { canonicalJson } from './idempotency-key.js';

describe('canonicalJson', () => {
  it('does not depend on the order of names, at any depth', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  });

  it('keeps the order of lists', () => {
    expect(canonicalJson([2, 1])).toBe('[2,1]');
  });
});
