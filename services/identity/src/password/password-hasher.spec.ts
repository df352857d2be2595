import { jest } from '@jest/globals';
import { Cancellation } from '@pulso/platform/context/cancellation';
import { inContext } from '@pulso/platform/testing/context';
import { IdentitySettings } from '../settings.js';

const argon2 = await import('@node-rs/argon2');
const verified = jest.fn(argon2.verify);
jest.unstable_mockModule('@node-rs/argon2', () => ({ ...argon2, verify: verified }));
const { PasswordHasher } = await import('./password-hasher.js');

const hasher = (concurrency: number, queue: number) =>
  new PasswordHasher(
    Object.assign(new IdentitySettings(), {
      PASSWORD_HASH_CONCURRENCY: concurrency,
      PASSWORD_HASH_QUEUE: queue,
    }),
  );

it('verifies the hashed password and no other', async () => {
  const passwords = hasher(2, 10);
  const hash = await passwords.hash('secret words');
  const judge = async (expected: string | null, password: string) =>
    (await passwords.verify(expected, password)).isRight;
  expect(await judge(hash, 'secret words')).toBe(true);
  expect(await judge(hash, 'secret word')).toBe(false);
  expect(await judge(null, 'secret words')).toBe(false);
});

// Rule: ACCT-8
it('takes letters of any width for the same, and a hash of before by the letters that it was made of', async () => {
  const passwords = hasher(2, 10);
  const [wide, plain] = ['ﬁve ｗｏｒｄｓ', 'five words'];
  const present = { isRight: true, isOfBefore: false };
  for (const set of [wide, plain]) {
    const hash = await passwords.hash(set);
    for (const typed of [wide, plain]) expect(await passwords.verify(hash, typed)).toEqual(present);
  }
  const ofBefore = await argon2.hash(wide.normalize('NFC'));
  expect(await passwords.verify(ofBefore, wide)).toEqual({ isRight: true, isOfBefore: true });
  expect(await passwords.verify(ofBefore, plain)).toEqual({ isRight: false, isOfBefore: false });
});

// Rule: ACCT-8
it('throws unavailable when too many are waiting, and works again afterwards', async () => {
  const passwords = hasher(1, 2);
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash('secret words')));
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(outcomes[3]).toMatchObject({ reason: { kind: 'unavailable' } });
  expect(await passwords.hash('secret words')).toMatch(/^\$argon2id\$/);
});

it('frees its slot when a hash cannot be verified', async () => {
  const passwords = hasher(1, 0);
  await expect(passwords.verify('not a hash', 'secret words')).rejects.toThrow();
  expect(await passwords.hash('secret words')).toMatch(/^\$argon2id\$/);
});

it('does not hash for a cancelled request', async () => {
  const passwords = hasher(1, 5);
  const cancellation = new Cancellation();
  cancellation.end(new Error('left'));
  const left = inContext(null, () => passwords.hash('secret words'), { cancellation });
  await expect(left).rejects.toMatchObject({ kind: 'unavailable' });
});

// Rule: ACCT-11
it('does the same work for an unknown account as for a wrong password', async () => {
  const passwords = hasher(1, 5);
  const hash = await passwords.hash('secret words');
  const work = async (expected: string | null, password = 'wrong words') => {
    verified.mockClear();
    expect((await passwords.verify(expected, password)).isRight).toBe(false);
    return verified.mock.calls.map(([against, password]) => ({ against: costOf(String(against)), password }));
  };
  const known = await work(hash);
  expect(known).toEqual([{ against: costOf(hash), password: 'wrong words' }]);
  expect(await work(null)).toEqual(known);
  const wide = 'ｗrong';
  expect((await work(hash, wide)).map(({ password }) => password)).toEqual(['wrong', wide]);
  expect(await work(null, wide)).toEqual(await work(hash, wide));
});

/** Everything in a hash that decides how long it takes: algorithm, version, memory, passes, threads and lengths. */
function costOf(hash: string): { parameters: string[]; lengths: number[] } {
  const parts = hash.split('$');
  return { parameters: parts.slice(0, 4), lengths: parts.slice(4).map(({ length }) => length) };
}
