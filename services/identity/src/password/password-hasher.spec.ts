import { Cancellation } from '@pulso/platform/context/cancellation';
import { inContext } from '@pulso/platform/testing/context';
import { IdentitySettings } from '../settings.js';
import { PasswordHasher } from './password-hasher.js';

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
  // Processor time instead of wall time: other programs on the machine must not affect the result.
  const work = async (expected: string | null) => {
    const before = process.cpuUsage();
    await passwords.verify(expected, 'wrong words');
    return process.cpuUsage(before).user;
  };
  await work(null);
  let [known, unknown] = [0, 0];
  for (let round = 0; round < 8; round += 1) {
    known += await work(hash);
    unknown += await work(null);
  }
  expect(unknown / known).toBeGreaterThan(0.5);
  expect(unknown / known).toBeLessThan(2);
});
