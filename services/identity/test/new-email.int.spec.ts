import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { outcome } from '@pulso/platform/testing/outcomes';
import { Identity, PASSWORD, type SignedIn } from './start.js';

const MINUTE = 60 * 1000;

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const update = (person: SignedIn, fields: Partial<UpdateMeRequest>) => identity.update(person, fields);

// Rule: ACCT-26
describe('a new e-mail address', () => {
  it('waits for verification, and needs no password soon after the sign-in', async () => {
    const person = await identity.signUp();
    identity.clock.advance(5 * MINUTE - 1);
    const changed = await update(person, { email: ' New.Address@Example.org ' });
    expect(changed).toMatchObject({ email: person.user.email, pendingEmail: 'new.address@example.org' });
    expect(changed.version).toBe(person.user.version);
    expect(await update(person, { email: person.user.email })).toMatchObject({ pendingEmail: null });
  });

  it('needs the right password later', async () => {
    const person = await identity.signUp();
    identity.clock.advance(5 * MINUTE);
    const email = 'later@example.org';
    for (const currentPassword of [undefined, '', 'something else', 'x'.repeat(5000)]) {
      expect(await outcome(update(person, { email, currentPassword }))).toBe(
        'permission-denied wrong-password',
      );
    }
    expect(await update(person, { email, currentPassword: PASSWORD })).toMatchObject({ pendingEmail: email });
  });

  it('is refused with a wrong password, even right after the sign-in', async () => {
    const person = await identity.signUp();
    const fields = { email: 'fresh@example.org', currentPassword: 'something else' };
    expect(await outcome(update(person, fields))).toBe('permission-denied wrong-password');
  });

  it('is refused when another account has it', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    expect(await outcome(update(person, { email: other.user.email }))).toBe('conflict email-already-in-use');
  });
});
