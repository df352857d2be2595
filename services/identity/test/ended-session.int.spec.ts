import { jest } from '@jest/globals';
import { currentContext } from '@pulso/platform/context/request-context';
import { Writes } from '@pulso/platform/postgres/writes';
import { gate } from '@pulso/platform/testing/gate';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { outcome } from '@pulso/platform/testing/outcomes';
import { ChangePassword } from '../src/account/change-password.js';
import { ForgotPassword } from '../src/account/forgot-password.js';
import { ResendVerification } from '../src/account/resend-verification.js';
import { ResetPassword } from '../src/account/reset-password.js';
import { SendResetMails } from '../src/account/send-reset-mails.job.js';
import { LogIn } from '../src/session/log-in.js';
import { LogOut } from '../src/session/log-out.js';
import { Identity, PASSWORD, type SignedIn } from './start.js';
import { latestToken, noticesOf } from './support/notices.js';

const NEW_PASSWORD = 'another long walk';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const logIn = (person: SignedIn, password: string) =>
  outcome(identity.get(LogIn).execute({ email: person.user.email, password, device: undefined }));
const kindsOf = async (person: SignedIn) => (await noticesOf(identity, person)).map(({ kind }) => kind);

/** Begins a call of a signed-in user, ends its session before its transaction, and returns how the call ends. */
async function ending(call: () => Promise<unknown>, end: () => Promise<unknown>): Promise<string> {
  const [begun, ended] = [gate('the transaction of the call'), gate('the end of the session')];
  const writes = identity.get(Writes);
  const run = writes.run.bind(writes);
  const held = jest.spyOn(writes, 'run').mockImplementation(async (work) => {
    // Visitors and jobs go on.
    if (currentContext()?.caller) {
      begun.open();
      await ended.opened;
    }
    return run(work);
  });
  onTestEnd(() => held.mockRestore());
  const result = outcome(call());
  await begun.opened;
  await end();
  ended.open();
  return result;
}

// Rule: ACCT-41
describe('of a session that has ended meanwhile', () => {
  const changePassword = { currentPassword: PASSWORD, password: 'a long walk of a thief' };
  const CALLS: [string, (person: SignedIn) => Promise<unknown>][] = [
    [
      'a new address',
      (person) => identity.requestUpdate(person, { email: 'thief@example.org', currentPassword: PASSWORD }),
    ],
    [
      'a new password',
      (person) => identity.as(person, () => identity.get(ChangePassword).execute(changePassword)),
    ],
    [
      'another link that verifies the address',
      (person) => identity.as(person, () => identity.get(ResendVerification).execute()),
    ],
  ];

  it.each(CALLS)(
    'nothing that was begun is stored after a reset of the password: %s',
    async (_what, call) => {
      const owner = await identity.signUp();
      await identity.get(ForgotPassword).execute({ email: owner.user.email });
      await identity.get(SendResetMails).execute();
      const token = await latestToken(identity, owner, 'reset-password');
      const sent = await kindsOf(owner);
      const reset = () => identity.get(ResetPassword).execute({ token, password: NEW_PASSWORD });
      expect(await ending(() => call(owner), reset)).toBe('unauthenticated user-token-expired');
      expect(await identity.stored(owner)).toMatchObject({ email: owner.user.email, pendingEmail: null });
      expect(await kindsOf(owner)).toEqual(sent);
      expect(await logIn(owner, NEW_PASSWORD)).toBe('resolved');
    },
  );

  it.each(CALLS)('nothing that was begun is stored after its end by a logout: %s', async (_what, call) => {
    const person = await identity.signUp();
    const { refreshToken } = person;
    const logOut = () => identity.get(LogOut).execute({ refreshToken });
    expect(await ending(() => call(person), logOut)).toBe('unauthenticated user-token-expired');
    expect(await identity.stored(person)).toEqual(person.user);
    expect(await kindsOf(person)).toEqual(['welcome']);
  });
});
