import { foreignCallErrorText } from './foreign-call-error-text.js';

it.each([
  [new TypeError('fetch failed'), 'TypeError: fetch failed'],
  [Object.assign(new Error('no route'), { code: 'EHOSTUNREACH' }), 'Error EHOSTUNREACH: no route'],
  [new Error('Invalid API key: sk_live_a1b2'), 'Error: Invalid API key: [secret]'],
  [new Error('rk_test_1, whsec_2 and Bearer abc.def'), 'Error: [secret], [secret] and [secret]'],
  [new Error(`token ${'a1'.repeat(20)}`), 'Error: token [secret]'],
  [new Error('no customer ana@example.com'), 'Error: no customer [address]'],
  ['thrown text', 'an error that is none'],
])('%s is read as %s', (error, text) => {
  expect(foreignCallErrorText(error)).toBe(text);
});

it('is cut', () => {
  expect(foreignCallErrorText(new Error('far too long '.repeat(100)))).toHaveLength(300);
});
