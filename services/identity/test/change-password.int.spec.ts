import { jest } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { Writes } from '@pulso/platform/postgres/writes';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { ChangePassword } from '../src/account/change-password.js';
import { ForgotPassword } from '../src/account/forgot-password.js';
import { ResetPassword } from '../src/account/reset-password.js';
import { SendResetMails } from '../src/account/send-reset-mails.job.js';
import { VerifyEmail } from '../src/account/verify-email.js';
import { EndOtherSessions } from '../src/session/end-other-sessions.js';
import { ListSessions } from '../src/session/list-sessions.js';
import { LogIn } from '../src/session/log-in.js';
import { RefreshSession } from '../src/session/refresh-session.js';
import { AccountNotices } from '../src/store/account-notices.js';
import { SignInDevices } from '../src/store/sign-in-devices.js';
import { Identity, idOf, PASSWORD, type SignedIn } from './start.js';
import { latestToken, noticesOf } from './support/notices.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const NEW_PASSWORD = 'another long walk';
const WRONG = 'permission-denied wrong-password';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const change = (person: SignedIn, currentPassword: string, password = NEW_PASSWORD) =>
  identity.as(person, () => identity.get(ChangePassword).execute({ currentPassword, password }));
const logIn = (person: SignedIn, password: string, userAgent = 'Firefox on a laptop') =>
  identity.get(LogIn).execute({ email: person.user.email, password, device: { userAgent, address: '' } });
const refresh = ({ refreshToken }: { refreshToken: string }) =>
  outcome(identity.get(RefreshSession).execute({ refreshToken, device: undefined }));

// Rule: ACCT-9
describe('changing the password', () => {
  it('needs the present one, ends the other sessions and keeps its own', async () => {
    const person = await identity.signUp();
    identity.clock.advance(1);
    // The caller's session is that of the latest sign-in.
    const own = await logIn(person, PASSWORD);
    expect(await outcome(change(person, PASSWORD))).toBe('resolved');
    expect([await refresh(own), await refresh(person)]).toEqual([
      'resolved',
      'unauthenticated user-token-expired',
    ]);
    expect(await outcome(logIn(person, PASSWORD))).toBe('unauthenticated invalid-credential');
    expect(await outcome(logIn(person, NEW_PASSWORD))).toBe('resolved');
  });

  it('is refused with a wrong or missing one, even right after the sign-in, and ends nothing', async () => {
    const person = await identity.signUp();
    for (const wrong of ['', 'something else', 'x'.repeat(5_000), 'a\u0000b'])
      expect(await outcome(change(person, wrong))).toBe(WRONG);
    expect(await refresh(person)).toBe('resolved');
  });

  it('names a refused new password first', async () => {
    const person = await identity.signUp();
    for (const password of ['', 'short', 'password1'])
      expect(await outcome(change(person, 'something else', password))).toBe(
        'invalid-argument validation-failed',
      );
  });

  it('needs a fresh sign-in where the account has none', async () => {
    const person = await identity.signUp();
    await identity.rows('UPDATE users SET password_hash = NULL WHERE id = $1', [person.user.id]);
    expect(await outcome(change(person, 'something'))).toBe(WRONG);
    identity.clock.advance(5 * MINUTE);
    expect(await outcome(change(person, ''))).toBe(WRONG);
    await identity.rows('UPDATE sessions SET created_at = $2 WHERE user_id = $1', [
      person.user.id,
      new Date(identity.clock.now() - 5 * MINUTE + 1),
    ]);
    expect(await outcome(change(person, ''))).toBe('resolved');
    expect(await outcome(logIn(person, NEW_PASSWORD))).toBe('resolved');
  });

  it('succeeds once of many changes from the same password at the same time', async () => {
    const person = await identity.signUp();
    const passwords = Array.from({ length: 5 }, (_, index) => `${NEW_PASSWORD} ${index}`);
    const outcomes = await Promise.all(
      passwords.map((password) => outcome(change(person, PASSWORD, password))),
    );
    expect(tally(outcomes)).toEqual({ resolved: 1, [WRONG]: 4 });
    expect(await outcome(logIn(person, passwords[outcomes.indexOf('resolved')]!))).toBe('resolved');
  });

  // Rule: MAIL-13
  it('is told to the verified address alone, once, and not where it is refused', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    await identity.command('verify-email', person.user.username);
    for (const owner of [person, other]) {
      expect(await outcome(change(owner, 'something else'))).toBe(WRONG);
      expect(await outcome(change(owner, PASSWORD))).toBe('resolved');
    }
    const told = async (owner: SignedIn) =>
      (await noticesOf(identity, owner)).filter(({ kind }) => kind === 'password-changed');
    expect(await told(person)).toMatchObject([{ to: person.user.email, token: '', lasts: 3 * DAY }]);
    expect(await told(other)).toEqual([]);
  });

  // Rule: ACCT-41
  it('takes back what was asked for before: links to a new password, and a new address', async () => {
    const person = await identity.signUp();
    await identity.get(ForgotPassword).execute({ email: person.user.email });
    await identity.get(SendResetMails).execute();
    const token = await latestToken(identity, person, 'reset-password');
    await identity.update(person, { email: `moved-${person.user.email}`, currentPassword: PASSWORD });
    const link = await latestToken(identity, person, 'verify-email');
    await change(person, PASSWORD);
    for (const late of [
      identity.get(ResetPassword).execute({ token, password: 'a third long walk' }),
      identity.get(VerifyEmail).execute({ token: link }),
    ])
      expect(await outcome(late)).toBe('invalid-argument invalid-action-code');
    expect((await identity.stored(person)).pendingEmail).toBeNull();
  });
});

// Rule: ACCT-22
it('all other devices are signed out at once, and nobody else’s', async () => {
  const [person, other] = [await identity.signUp(), await identity.signUp()];
  for (let index = 0; index < 3; index += 1) {
    identity.clock.advance(1);
    await logIn(person, PASSWORD);
  }
  await identity.as(person, () => identity.get(EndOtherSessions).execute());
  const { sessions } = await identity.as(person, () => identity.get(ListSessions).execute());
  expect(sessions.map(({ current }) => current)).toEqual([true]);
  const ended = await identity.rows(
    'SELECT DISTINCT end_reason FROM sessions WHERE user_id = $1 AND id <> $2',
    [person.user.id, await identity.sessionOf(person)],
  );
  expect(ended).toEqual([{ end_reason: 'revoked' }]);
  expect([await refresh(person), await refresh(other)]).toEqual([
    'unauthenticated user-token-expired',
    'resolved',
  ]);
});

// Rule: ACCT-8
it('a password that was hashed in NFC goes on working, and is hashed anew at the next login', async () => {
  const person = await identity.signUp();
  const wide = 'ﬁve ｗｏｒｄｓ uphill';
  await identity.rows('UPDATE users SET password_hash = $2 WHERE id = $1', [
    person.user.id,
    await hash(wide),
  ]);
  expect(await outcome(logIn(person, 'five words uphill'))).toBe('unauthenticated invalid-credential');
  const { version } = await identity.stored(person);
  expect(idOf(await logIn(person, wide))).toBe(person.user.id);
  expect((await identity.stored(person)).version).toBe(version);
  expect(await outcome(logIn(person, 'five words uphill'))).toBe('resolved');
  expect(await outcome(logIn(person, wide))).toBe('resolved');
});

// Rule: ACCT-41, MAIL-6
describe('a sign-in on a new device', () => {
  const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
  const signIns = async (person: SignedIn) =>
    (await noticesOf(identity, person)).filter(({ kind }) => kind === 'new-sign-in');
  const verified = async () => {
    const person = await identity.signUp();
    await identity.command('verify-email', person.user.username);
    return person;
  };

  it('is told, once a device', async () => {
    const person = await verified();
    await logIn(person, PASSWORD);
    expect(await signIns(person)).toEqual([]);
    await logIn(person, PASSWORD, CHROME);
    const at = identity.clock.now();
    await logIn(person, PASSWORD, CHROME.replace('140', '141'));
    expect(await signIns(person)).toMatchObject([
      { to: person.account!.email, token: '', userAgent: CHROME, at, lasts: 3 * DAY },
    ]);
  });

  it('is sealed only where the device looks new, and told by what the sign-in finds', async () => {
    const person = await verified();
    const seal = jest.spyOn(identity.get(AccountNotices), 'seal');
    const seen = jest.spyOn(identity.get(SignInDevices), 'wasSeen');
    onTestEnd(
      () => seal.mockRestore(),
      () => seen.mockRestore(),
    );
    await logIn(person, PASSWORD);
    expect([seen.mock.calls.length, seal.mock.calls.length]).toEqual([1, 0]);
    // Forgotten, or noted by another sign-in, between the look and the transaction.
    for (const [looksKnown, device, told] of [
      [true, CHROME, 1],
      [false, CHROME, 1],
      [false, `${CHROME} Edg`, 2],
    ] as const) {
      seen.mockResolvedValueOnce(looksKnown);
      await logIn(person, PASSWORD, device);
      expect(await signIns(person)).toHaveLength(told);
    }
  });

  it('is new again when it was not seen for 90 days, and not while its session goes on', async () => {
    const person = await verified();
    identity.clock.advance(20 * DAY);
    const { refreshToken } = await logIn(person, PASSWORD);
    await identity.rows('DELETE FROM sign_in_devices WHERE user_id = $1', [person.user.id]);
    await logIn(person, PASSWORD);
    expect(await signIns(person)).toEqual([]);
    expect(await refresh({ refreshToken })).toBe('resolved');
    identity.clock.advance(91 * DAY);
    await logIn(person, PASSWORD);
    expect(await signIns(person)).toHaveLength(1);
  });

  it('is one of fifty, those that were seen last; the oldest of more is new again', async () => {
    const person = await identity.signUp();
    const note = (device: string) => {
      identity.clock.advance(1);
      return identity
        .get(Writes)
        .run((transaction) => identity.get(SignInDevices).note(person.user.id, device, transaction));
    };
    // Digits do not make another device.
    const devices = Array.from({ length: 50 }, (_, index) => 'x'.repeat(index + 1));
    for (const device of devices) expect(await note(device)).toBe(true);
    for (const device of devices) expect(await note(device)).toBe(false);
    expect(await note('one more')).toBe(true);
    expect(
      await identity.rows('SELECT FROM sign_in_devices WHERE user_id = $1', [person.user.id]),
    ).toHaveLength(50);
    expect(await note(devices[1]!)).toBe(false);
    expect(await note(devices[0]!)).toBe(true);
  });

  it('is told neither to an address that is not verified, nor to who does not want it', async () => {
    const stranger = await identity.signUp();
    await logIn(stranger, PASSWORD, CHROME);
    const person = await verified();
    await identity.update(person, { emails: { security: false } });
    await logIn(person, PASSWORD, CHROME);
    expect([...(await signIns(stranger)), ...(await signIns(person))]).toEqual([]);
  });

  it('keeps neither control characters nor more than 512 of a browser’s name', async () => {
    const person = await verified();
    await logIn(person, PASSWORD, `a\r\nBcc: eve@example.org${'b'.repeat(2_000)}`);
    const { userAgent } = (await signIns(person))[0]!;
    expect(userAgent).toMatch(/^aBcc: eve@example\.orgb+$/);
    expect(userAgent).toHaveLength(512);
  });
});
