import type { z } from 'zod';
import {
  currentPassword,
  newPassword,
  normalizeUsername,
  password,
  requiredText,
  specialties,
} from './fields.js';

/** What a field makes of an input, or the codes of its refusals. */
function read(field: z.ZodType, input: unknown): unknown {
  const { success, data, error } = field.safeParse(input);
  if (success) return data;
  return error.issues.map((issue) =>
    issue.code === 'custom' ? (issue.params?.['code'] as string) : issue.code,
  );
}

// Rule: ACCT-8
describe.each([
  ['a new password', newPassword],
  ['a password', password],
  ['the current password', currentPassword],
])('%s', (_, field) => {
  it('is judged and passed on in the form that is hashed', () => {
    expect(read(field, 'n\u0303'.repeat(70))).toBe('ñ'.repeat(70));
    expect(read(field, ' re\u0301 ')).toBe(' ré ');
    for (const typed of ['ñ'.repeat(129), 'n\u0303'.repeat(129), 'a'.repeat(60_000)]) {
      expect(read(field, typed)).toEqual(['too-long']);
    }
  });

  it.each([
    ['', 'required'],
    ['abc\u0000def', 'control-character'],
    ['abc\tdef', 'control-character'],
    ['abc\ud800def', 'lone-surrogate'],
  ])('cannot be %j', (typed, code) => {
    expect(read(field, typed)).toEqual([code]);
  });
});

// Rule: PEOPLE-11
it('specialties are passed on as they are written, up to a hundred, for identity to count', () => {
  const typed = ['Natacio\u0301n', 'NATACIÓN', '', 'Core\u00a0 work'];
  expect(read(specialties, typed)).toEqual(['Natación', 'NATACIÓN', '', 'Core work']);
  const given = Array.from({ length: 100 }, (_, index) => `Sport ${index}`);
  expect(read(specialties, given)).toEqual(given);
  expect(read(specialties, [...given, 'one more'])).toEqual(['too-many']);
});

// Rule: PEOPLE-4
it('a name has one blank for each run of white space', () => {
  const name = requiredText({ max: 80, multiline: false, joiners: false }, 'Name is required');
  expect(read(name, ` Cora${'\u00a0'.repeat(30)}Lind\u2003\u3000. `)).toBe('Cora Lind .');
});

// Rule: PEOPLE-6
it('a username is the same in any case', () => {
  expect([' Ana-Torres ', '\u212aim', 'añb', 'a b'].map(normalizeUsername)).toEqual([
    ...['ana-torres', 'kim', undefined, undefined],
  ]);
});
