import type { Session } from '@pulso/contracts/identity/v1/identity';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { TestAuthenticator } from '@pulso/platform/testing/test-authenticator';
import { ChangePassword } from '../src/account/change-password.js';
import { EraseMe } from '../src/account/erase-me.js';
import { ForgotPassword } from '../src/account/forgot-password.js';
import { ResetPassword } from '../src/account/reset-password.js';
import { SendResetMails } from '../src/account/send-reset-mails.job.js';
import { LogIn } from '../src/session/log-in.js';
import { Identity, PASSWORD, type SignedIn } from './start.js';
import { latestToken } from './support/notices.js';
import { DEVICE, ORIGIN, PasskeySteps } from './support/passkeys.js';

const MINUTE = 60_000;
const WRONG = 'permission-denied wrong-password';
const NEW_PASSWORD = 'another long walk';

let identity: Identity;
let steps: PasskeySteps;
beforeAll(async () => {
  identity = await Identity.start();
  steps = new PasskeySteps(identity);
});
afterAll(() => identity?.stop());

const changePassword = (person: Session, currentPassword = '') =>
  outcome(
    identity.as(person, () =>
      identity.get(ChangePassword).execute({ currentPassword, password: NEW_PASSWORD }),
    ),
  );
let addresses = 0;
const changeEmail = (person: SignedIn) =>
  outcome(identity.requestUpdate(person, { email: `moved-${(addresses += 1)}@example.org` }));

/** Somebody with a passkey, who has signed in long ago. */
async function aPerson(authenticator = new TestAuthenticator(ORIGIN)) {
  const person = await identity.signUp();
  const { passkey } = await steps.add(person, authenticator);
  identity.clock.advance(6 * MINUTE);
  return { person, passkey, authenticator };
}

// Rule: ACCT-43, ACCT-9, ACCT-26
describe('a passkey in place of the current password', () => {
  it('counts for 5 minutes', async () => {
    const { person, authenticator } = await aPerson();
    expect([await changeEmail(person), await changePassword(person)]).toEqual([WRONG, WRONG]);
    await steps.confirm(person, authenticator);
    identity.clock.advance(5 * MINUTE - 1);
    expect(await changeEmail(person)).toBe('resolved');
    expect(await outcome(steps.begin(person))).toBe('resolved');
    identity.clock.advance(1);
    expect([await changeEmail(person), await changePassword(person)]).toEqual([WRONG, WRONG]);
    expect(await outcome(steps.begin(person))).toBe(WRONG);
    await steps.confirm(person, authenticator);
    expect(await changePassword(person)).toBe('resolved');
  });

  it('is a sign-in by it, too', async () => {
    const { person, authenticator } = await aPerson();
    await steps.logIn(authenticator);
    // The caller's session is that of the latest sign-in.
    expect(await changePassword(person)).toBe('resolved');
  });

  it('does not make a wrong password right', async () => {
    const { person, authenticator } = await aPerson();
    await steps.confirm(person, authenticator);
    expect(await changePassword(person, 'something else')).toBe(WRONG);
    expect(await outcome(steps.begin(person, 'something else'))).toBe(WRONG);
  });

  it('counts in its session alone', async () => {
    const { person, authenticator } = await aPerson();
    await steps.confirm(person, authenticator);
    await identity.get(LogIn).execute({ email: person.user.email, password: PASSWORD, device: DEVICE });
    // The sign-in is fresh, but without a passkey: the password needs the present one even then.
    expect(await changePassword(person)).toBe(WRONG);
  });

  it('names the caller’s passkeys alone', async () => {
    const { person, authenticator } = await aPerson();
    const other = await aPerson();
    const allowed = JSON.parse(await steps.beginConfirmation(person)) as { allowCredentials: object[] };
    const { id } = authenticator.get(await steps.beginConfirmation(person));
    expect(allowed.allowCredentials).toEqual([
      { id, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
    expect(await outcome(steps.confirm(person, other.authenticator))).toBe(WRONG);
    expect(await changePassword(person)).toBe(WRONG);
  });

  it('is refused twice, late, and by an answer to somebody else or to a sign-in', async () => {
    const { person, authenticator } = await aPerson();
    const { person: other } = await aPerson();
    const answer = authenticator.get(await steps.beginConfirmation(person));
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => outcome(steps.finishConfirmation(person, answer))),
    );
    expect(tally(outcomes)).toEqual({ resolved: 1, [WRONG]: 2 });
    for (const options of [await steps.beginConfirmation(other), await steps.beginLogIn()])
      expect(await outcome(steps.finishConfirmation(person, authenticator.get(options)))).toBe(WRONG);
    const late = authenticator.get(await steps.beginConfirmation(person));
    identity.clock.advance(5 * MINUTE);
    expect(await outcome(steps.finishConfirmation(person, late))).toBe(WRONG);
  });

  // Rule: ACCT-32
  it('erases the account', async () => {
    const { person, authenticator } = await aPerson();
    const erase = () => outcome(identity.as(person, () => identity.get(EraseMe).execute({ password: '' })));
    expect(await erase()).toBe(WRONG);
    await steps.confirm(person, authenticator);
    expect(await erase()).toBe('resolved');
    expect(await identity.stored(person)).toMatchObject({ status: 'deleted' });
  });

  it('gives an account without a password its first one', async () => {
    const { person, authenticator } = await aPerson();
    await identity.rows('UPDATE users SET password_hash = NULL WHERE id = $1', [person.user.id]);
    expect(await changePassword(person)).toBe(WRONG);
    await steps.confirm(person, authenticator);
    expect(await changePassword(person)).toBe('resolved');
  });
});

// Rule: ACCT-43, ACCT-41
describe('a new password', () => {
  const logIn = (authenticator: TestAuthenticator) => outcome(steps.logIn(authenticator));

  it('by a mailed link takes all passkeys away, and those that are under way', async () => {
    const { person, authenticator } = await aPerson();
    const begun = new TestAuthenticator(ORIGIN).create(await steps.begin(person, PASSWORD));
    await identity.get(ForgotPassword).execute({ email: person.user.email });
    await identity.get(SendResetMails).execute();
    const token = await latestToken(identity, person, 'reset-password');
    await identity.get(ResetPassword).execute({ token, password: NEW_PASSWORD });
    expect(await logIn(authenticator)).toBe('unauthenticated invalid-credential');
    expect(await outcome(steps.finish(person, begun))).toBe('unauthenticated user-token-expired');
    expect(await identity.rows('SELECT FROM passkeys WHERE user_id = $1', [person.user.id])).toEqual([]);
  });

  it('by the present one removes those of another address', async () => {
    const { person, authenticator } = await aPerson();
    const moved = 'UPDATE users SET email = $2 WHERE id = $1';
    await identity.service.tamper(moved, [person.user.id, `moved-${person.user.email}`]);
    expect(await logIn(authenticator)).toBe('resolved');
    expect(await changePassword(person, PASSWORD)).toBe('resolved');
    expect(await logIn(authenticator)).toBe('unauthenticated invalid-credential');
  });

  it('by the present one leaves the others, to see and to remove', async () => {
    const { person, authenticator } = await aPerson();
    expect(await changePassword(person, PASSWORD)).toBe('resolved');
    expect(await logIn(authenticator)).toBe('resolved');
  });
});
