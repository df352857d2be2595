import { isEmail, normaliseEmail } from './email.js';

// Rule: ACCT-4
it('trims and lower-cases', () => {
  expect(normaliseEmail(' Ana.Ruiz@Example.ORG ')).toEqual({ value: 'ana.ruiz@example.org' });
});

it.each([
  'a@b.co',
  'ana.ruiz+tag@sub.example.org',
  "o'brien@example.org",
  `${'a'.repeat(64)}@example.org`,
  'a@1.x-y.org',
])('takes %s', (email) => {
  expect(isEmail(email)).toBe(true);
});

// Rule: ACCT-4
it.each([
  '',
  'ana',
  'ana@',
  '@example.org',
  'ana@localhost',
  'ana@@example.org',
  'ana ruiz@example.org',
  '.ana@example.org',
  'ana.@example.org',
  'a..b@example.org',
  'ana@-example.org',
  'ana@example-.org',
  'ana@example..org',
  'ana@example.org.',
  'ana@exa_mple.org',
  '<ana@example.org>',
  'ana@example.org, b@example.org',
  'añ@example.org',
  `${'a'.repeat(65)}@example.org`,
])('refuses %j', (email) => {
  expect(isEmail(email)).toBe(false);
});

it.each(['a\u0000@example.org', 'a\n@example.org', 'a\u200d@example.org', `${'a'.repeat(250)}@b.co`])(
  'does not accept %j',
  (email) => {
    expect(normaliseEmail(email).problem).toBeDefined();
  },
);

it('decides quickly for any input', () => {
  // Backtracking would exceed the test's time limit.
  expect(isEmail(`${'a.'.repeat(32)}@${'a-'.repeat(100)}`)).toBe(false);
});
