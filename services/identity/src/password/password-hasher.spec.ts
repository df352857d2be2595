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
  expect(await passwords.verify(hash, 'secret words')).toBe(true);
  expect(await passwords.verify(hash, 'secret word')).toBe(false);
  expect(await passwords.verify(null, 'secret words')).toBe(false);
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
  const work = async (expected: string | null) => {
    verified.mockClear();
    expect(await passwords.verify(expected, 'wrong words')).toBe(false);
    return verified.mock.calls.map(([against, password]) => ({ against: costOf(String(against)), password }));
  };
  const known = await work(hash);
  expect(known).toEqual([{ against: costOf(hash), password: 'wrong words' }]);
  expect(await work(null)).toEqual(known);
});

/** Everything in a hash that decides how long it takes: algorithm, version, memory, passes, threads and lengths. */
function costOf(hash: string): { parameters: string[]; lengths: number[] } {
  const parts = hash.split('$');
  return { parameters: parts.slice(0, 4), lengths: parts.slice(4).map(({ length }) => length) };
}
