import { isReservedUsername } from './reserved-usernames.js';
import { generateUsername, isUsername, normaliseUsername, usernameCandidates } from './username.js';

// Rule: PEOPLE-6
describe('isUsername', () => {
  it.each(['abc', 'a-b', '123', 'a--b', 'x'.repeat(30)])('takes %s', (username) => {
    expect(isUsername(username)).toBe(true);
  });

  it.each(['', 'ab', '-ab', 'ab-', 'a_b', 'a.b', 'añb', 'ABC', 'a b', 'x'.repeat(31), 'abc\n'])(
    'refuses %j',
    (username) => {
      expect(isUsername(username)).toBe(false);
    },
  );
});

it('normalises case and surrounding space', () => {
  expect(normaliseUsername(' Ana-Ruiz\n')).toEqual({ value: 'ana-ruiz' });
  expect(normaliseUsername('an\u200da').problem?.code).toBe('format-character');
});

// Rule: PEOPLE-7
describe('generateUsername', () => {
  it.each([
    ['Ana Ruiz', 'ana-ruiz'],
    ['  José  Pérez!! ', 'jose-perez'],
    ['Łucja Strøm Straße', 'lucja-strom-strasse'],
    ['Ægir Œdipe Đorđe', 'aegir-oedipe-dorde'],
    ['Guðrún Þór Işıl ẞ', 'gudrun-thor-isil-ss'],
    ['--A.B--C--', 'a-b-c'],
    ['O’Brien & Sons 2', 'o-brien-sons-2'],
    ['x'.repeat(29) + ' y', 'x'.repeat(29)],
    ['Al', 'user-al'],
  ])('makes of %j %s', (name, expected) => {
    expect(generateUsername({ name, email: 'mail@example.org' }, 'k3x9')).toBe(expected);
  });

  it('falls back to the part of the address before the @, then to user-…', () => {
    expect(generateUsername({ name: '山田', email: 'Yamada.Taro@example.org' }, 'k3x9')).toBe('yamada-taro');
    expect(generateUsername({ name: '山田', email: '山田@example.org' }, 'k3x9')).toBe('user-k3x9');
    expect(generateUsername({ name: '', email: '' }, 'k3x9')).toBe('user-k3x9');
  });

  it('always produces a username', () => {
    for (const name of [
      '',
      'a',
      'é',
      '-',
      '!?',
      '😀😀😀',
      'I',
      'İİ',
      'ß',
      '½½½',
      'x'.repeat(500),
      'a '.repeat(40),
    ]) {
      expect(isUsername(generateUsername({ name, email: '' }, 'k3x9'))).toBe(true);
    }
  });
});

it('numbers the names after the first, within the maximum length', () => {
  const [first, second, third] = usernameCandidates('x'.repeat(30));
  expect([first, second, third]).toEqual(['x'.repeat(30), `${'x'.repeat(28)}-1`, `${'x'.repeat(28)}-2`]);
  const afterHyphen = usernameCandidates(`${'x'.repeat(27)}-yz`);
  afterHyphen.next();
  expect(afterHyphen.next().value).toBe(`${'x'.repeat(27)}-1`);
  const names = usernameCandidates('ana');
  const taken = new Set(['ana', 'ana-1']);
  for (const name of names) {
    if (taken.has(name)) continue;
    expect(name).toBe('ana-2');
    break;
  }
});

// Rule: PEOPLE-8
it.each([
  'feed',
  'login',
  'signup',
  'messages',
  'profile',
  'dashboard',
  'subscriptions',
  'coach',
  'coaches',
  'post',
  'api',
  'media',
  'assets',
  'admin',
])('reserves %s', (name) => {
  expect(isReservedUsername(name)).toBe(true);
});

// Rule: PEOPLE-8
it.each(['xn--pulso', 'xn--pple-43d', 'xn--4'])('reserves %s, which encodes another name', (name) => {
  expect(isUsername(name)).toBe(true);
  expect(isReservedUsername(name)).toBe(true);
});

it.each(['ana-ruiz', 'xn-ana', 'axn--ana'])('reserves no ordinary name: %s', (name) => {
  expect(isReservedUsername(name)).toBe(false);
});
