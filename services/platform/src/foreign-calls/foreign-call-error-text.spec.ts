import { foreignCallErrorText } from './foreign-call-error-text.js';

it.each([
  ['TypeError: fetch failed', new TypeError('fetch failed')],
  ['Error EHOSTUNREACH: no route', Object.assign(new Error('no route'), { code: 'EHOSTUNREACH' })],
  ['Error: Invalid API key: [secret]', new Error('Invalid API key: sk_live_a1b2')],
  ['Error: [secret], [secret] and [secret]', new Error('rk_test_1, whsec_2 and Bearer abc.def')],
  ['Error: token [secret]', new Error(`token ${'a1'.repeat(20)}`)],
  ['Error: no customer [address]', new Error('no customer ana@example.com')],
  ['an error that is none', 'thrown text'],
])('%s', (text, error) => {
  expect(foreignCallErrorText(error)).toBe(text);
});

it('is cut', () => {
  expect(foreignCallErrorText(new Error('far too long '.repeat(100)))).toHaveLength(300);
});
