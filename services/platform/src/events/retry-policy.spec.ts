import { DomainError, unavailable } from '../errors/domain-error.js';
import { ERROR_BYTES, errorText, isTransient } from './retry-policy.js';

describe('isTransient', () => {
  const coded = (code: string | number) => Object.assign(new Error('failed'), { code });
  const named = (name: string) => Object.assign(new Error('failed'), { name });

  it.each([
    ['an unavailable service', unavailable()],
    ['a missed deadline', new DomainError('deadline-exceeded', 'late')],
    ['a refused connection', coded('ECONNREFUSED')],
    ['PostgreSQL shutting down', coded('57P01')],
    ['PostgreSQL out of connections', coded('53300')],
    ['a deadlock', coded('40P01')],
    ['a lost MongoDB', named('MongoNetworkTimeoutError')],
    ['no MongoDB to select', named('MongooseServerSelectionError')],
    ['a refused connection as a cause', new Error('wrapped', { cause: coded('ECONNRESET') })],
  ])('holds for %s', (_, error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each([
    ['a mistake', new TypeError('x is not a function')],
    ['a broken rule', new DomainError('username-taken', 'taken')],
    ['a constraint', coded('23505')],
    ['a duplicate in MongoDB', coded(11000)],
    ['a value that is not an error', 'oops'],
  ])('does not for %s', (_, error) => {
    expect(isTransient(error)).toBe(false);
  });

  it.each([
    ['PostgreSQL', coded('57014')],
    ['MongoDB', coded(50)],
    ['a deadline', new DomainError('deadline-exceeded', 'late')],
    ['a cause', new Error('wrapped', { cause: coded('57014') })],
  ])('holds only for some minutes for work that took too long: %s', (_, error) => {
    expect([1, 12, 13, 1_000].map((failures) => isTransient(error, failures))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isTransient(unavailable(), 1_000)).toBe(true);
  });
});

describe('the text of an error in a dead letter', () => {
  it('has its stack', () => {
    expect(errorText(new Error('no'))).toMatch(/^Error: no\n +at /);
    expect(errorText('no')).toBe('no');
  });

  it.each([
    ['a', ERROR_BYTES],
    ['ü', ERROR_BYTES],
    ['€', ERROR_BYTES - 1],
    ['😀', ERROR_BYTES],
  ])('of many %s is cut to whole characters that fit', (character, bytes) => {
    const text = errorText(character.repeat(ERROR_BYTES));
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect(text).toBe(character.repeat([...text].length));
  });
});
