import { jest } from '@jest/globals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { until } from '@pulso/platform/testing/until';
import { ForgotPassword } from '../src/account/forgot-password.js';
import { PurgeAccountMails } from '../src/account/purge-account-mails.js';
import { ResetPassword } from '../src/account/reset-password.js';
import { SendResetMails } from '../src/account/send-reset-mails.job.js';
import { VerifyEmail } from '../src/account/verify-email.js';
import { PasswordHasher } from '../src/password/password-hasher.js';
import { AccountNotices } from '../src/store/account-notices.js';
import { PasswordResets } from '../src/store/password-resets.js';
import { LogIn } from '../src/session/log-in.js';
import { RefreshSession } from '../src/session/refresh-session.js';
import { Identity, PASSWORD, type SignedIn } from './start.js';
import { latestToken, noticesOf } from './support/notices.js';

const HOUR = 60 * 60 * 1000;
const INVALID = 'invalid-argument invalid-action-code';
const NEW_PASSWORD = 'another long walk';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const forgot = (email: string) => identity.get(ForgotPassword).execute({ email });
const reset = (token: string, password = NEW_PASSWORD) =>
  identity.get(ResetPassword).execute({ token, password });
const logIn = (email: string, password: string) =>
  identity.get(LogIn).execute({ email, password, device: undefined });
const kindsOf = async (person: SignedIn) => (await noticesOf(identity, person)).map(({ kind }) => kind);

/** Asks for a link and waits until it is written. */
async function linkFor(person: SignedIn): Promise<string> {
  await forgot(person.user.email);
  await identity.get(SendResetMails).execute();
  return latestToken(identity, person, 'reset-password');
}

// Rule: ACCT-10
describe('a forgotten password', () => {
  it('is asked for by one row, for whatever address, before anybody looks for an account', async () => {
    const person = await identity.signUp();
    const requests = identity.get(PasswordResets);
    const unknown = 'nobody@example.org';
    for (const email of [person.user.email, unknown]) await requests.ask(email);
    const rows = await identity.rows<{ email: string }>(
      'SELECT email FROM password_resets WHERE email = ANY($1) ORDER BY asked_at, id',
      [[person.user.email, unknown]],
    );
    expect(rows.map(({ email }) => email)).toEqual([person.user.email, unknown]);
    expect(await forgot(person.user.email)).toEqual(await forgot(unknown));
  });

  it('is mailed without anybody’s waiting, to the account’s address, in any case, for an hour', async () => {
    const person = await identity.signUp();
    await forgot(` ${person.user.email.toUpperCase()} `);
    await until(async () => (await kindsOf(person)).includes('reset-password'), { what: 'the mail' });
    const mail = (await noticesOf(identity, person)).at(-1)!;
    expect(mail).toMatchObject({ kind: 'reset-password', to: person.user.email, lasts: HOUR });
    expect(mail.token).toMatch(/^[\w-]{43}$/);
    expect(await outcome(reset(mail.token))).toBe('resolved');
    expect(await outcome(logIn(person.user.email, PASSWORD))).toBe('unauthenticated invalid-credential');
    expect(await outcome(logIn(person.user.email, NEW_PASSWORD))).toBe('resolved');
  });

  it('is mailed to no suspended or deleted account', async () => {
    for (const status of ['suspended', 'deleted']) {
      const person = await identity.signUp();
      await identity.rows('UPDATE users SET status = $2 WHERE id = $1', [person.user.id, status]);
      await forgot(person.user.email);
      await identity.get(SendResetMails).execute();
      expect(await kindsOf(person)).toEqual(['welcome']);
    }
  });

  it('of no account makes no link', async () => {
    const seal = jest.spyOn(identity.get(AccountNotices), 'seal');
    onTestEnd(() => seal.mockRestore());
    const to = 'nobody@example.org';
    await forgot(to);
    await identity.get(SendResetMails).execute();
    expect(seal).not.toHaveBeenCalledWith('reset-password', expect.objectContaining({ to }));
    expect(await identity.get(PasswordResets).next()).toBeUndefined();
  });

  it('of a malformed address is refused', async () => {
    for (const email of ['', 'nobody', 'a@b', `${'a'.repeat(250)}@example.org`])
      expect(await outcome(forgot(email))).toBe('invalid-argument validation-failed');
  });

  // Rule: LIMIT-18
  it('is mailed three times an hour at most; requests that wait together are one', async () => {
    const person = await identity.signUp();
    for (let time = 0; time < 5; time += 1) await linkFor(person);
    const mails = async () => (await kindsOf(person)).filter((kind) => kind === 'reset-password').length;
    expect(await mails()).toBe(3);
    identity.clock.advance(HOUR);
    const requests = identity.get(PasswordResets);
    for (let time = 0; time < 5; time += 1) await requests.ask(person.user.email);
    const [first, second] = [identity.get(SendResetMails).execute(), identity.get(SendResetMails).execute()];
    await Promise.all([first, second]);
    expect(await mails()).toBe(4);
  });
});

// Rule: ACCT-10, ACCT-41
describe('the link to a new password', () => {
  it('works once, also of many requests at the same time', async () => {
    const person = await identity.signUp();
    const token = await linkFor(person);
    const passwords = Array.from({ length: 8 }, (_, index) => `${NEW_PASSWORD} ${index}`);
    const outcomes = await Promise.all(passwords.map((password) => outcome(reset(token, password))));
    expect(tally(outcomes)).toEqual({ resolved: 1, [INVALID]: 7 });
    const set = passwords[outcomes.indexOf('resolved')]!;
    expect(await outcome(logIn(person.user.email, set))).toBe('resolved');
    expect(await outcome(reset(token))).toBe(INVALID);
  });

  it('is not spent by a password that is refused', async () => {
    const person = await identity.signUp();
    const token = await linkFor(person);
    for (const password of ['', 'short', 'password1', 'x'.repeat(129)])
      expect(await outcome(reset(token, password))).toBe('invalid-argument validation-failed');
    expect(await outcome(reset(token))).toBe('resolved');
  });

  it('makes nobody hash without a token that works', async () => {
    const hashed = jest.spyOn(identity.get(PasswordHasher), 'hash');
    onTestEnd(() => hashed.mockRestore());
    for (const wrong of ['x', 'a'.repeat(43)]) expect(await outcome(reset(wrong))).toBe(INVALID);
    expect(hashed).not.toHaveBeenCalled();
  });

  it('is refused alike when it is malformed, unknown, old or replaced, and of another kind', async () => {
    const person = await identity.signUp();
    const replaced = await linkFor(person);
    const token = await linkFor(person);
    const verifying = await latestToken(identity, person, 'welcome');
    for (const wrong of ['', 'x', 'a'.repeat(43), `${token}\n`, token.toLowerCase(), replaced, verifying])
      expect(await outcome(reset(wrong))).toBe(INVALID);
    expect(await outcome(identity.get(VerifyEmail).execute({ token }))).toBe(INVALID);
    identity.clock.advance(HOUR);
    expect(await outcome(reset(token))).toBe(INVALID);
    const refused = await Promise.all(
      ['x', token].map((wrong) => reset(wrong).catch((error: Error) => error)),
    );
    expect(new Set(refused.map((error) => (error as Error).message)).size).toBe(1);
  });

  it('ends all sessions, and shows that the address is its owner’s', async () => {
    const person = await identity.signUp();
    const other = await logIn(person.user.email, PASSWORD);
    const token = await linkFor(person);
    await reset(token);
    for (const { refreshToken } of [person, other])
      expect(await outcome(identity.get(RefreshSession).execute({ refreshToken, device: undefined }))).toBe(
        'unauthenticated user-token-expired',
      );
    const reasons = await identity.rows('SELECT DISTINCT end_reason FROM sessions WHERE user_id = $1', [
      person.user.id,
    ]);
    expect(reasons).toEqual([{ end_reason: 'password' }]);
    const user = await identity.stored(person);
    expect(user.emailVerified).toBe(true);
    expect(user.version).toBeGreaterThan(person.user.version);
  });

  // Rule: MAIL-13
  it('tells the address of the new password, where it was verified before', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    await identity.command('verify-email', person.user.username);
    for (const owner of [person, other]) {
      const token = await linkFor(owner);
      expect(await outcome(reset(token))).toBe('resolved');
      expect(await outcome(reset(token))).toBe(INVALID);
    }
    const told = async (owner: SignedIn) =>
      (await noticesOf(identity, owner)).filter(({ kind }) => kind === 'password-changed');
    expect(await told(person)).toMatchObject([{ to: person.user.email, token: '', lasts: 72 * HOUR }]);
    expect(await told(other)).toEqual([]);
  });

  it('gives a password to an account without one', async () => {
    const person = await identity.signUp();
    await identity.rows('UPDATE users SET password_hash = NULL WHERE id = $1', [person.user.id]);
    await reset(await linkFor(person));
    expect(await outcome(logIn(person.user.email, NEW_PASSWORD))).toBe('resolved');
  });

  it('withdraws the address that somebody who had the account has asked for', async () => {
    const owner = await identity.signUp();
    const thief = owner;
    await identity.update(thief, { email: `thief-of-${owner.user.email}`, currentPassword: PASSWORD });
    const link = await latestToken(identity, thief, 'verify-email');
    await reset(await linkFor(owner));
    expect((await identity.stored(owner)).pendingEmail).toBeNull();
    expect(await outcome(identity.get(VerifyEmail).execute({ token: link }))).toBe(INVALID);
  });

  it('does not work for an account that was suspended meanwhile', async () => {
    const person = await identity.signUp();
    const token = await linkFor(person);
    await identity.rows("UPDATE users SET status = 'suspended' WHERE id = $1", [person.user.id]);
    expect(await outcome(reset(token))).toBe(INVALID);
  });

  it('a login by the former password opens no session beside the reset', async () => {
    const person = await identity.signUp();
    const token = await linkFor(person);
    const logins = Array.from({ length: 4 }, () => outcome(logIn(person.user.email, PASSWORD)));
    await Promise.all([...logins, reset(token)]);
    const open = await identity.rows('SELECT FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [
      person.user.id,
    ]);
    expect(open).toEqual([]);
  });
});

// Rule: ACCT-41, MAIL-13
it('neither a token nor an address of a mail stands anywhere in plain text, and what is over is deleted', async () => {
  const person = await identity.signUp();
  const token = await linkFor(person);
  await identity.service.drainEvents();
  const tables = await identity.rows<{ table_name: string }>(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const withText = async (text: string) => {
    const found = [];
    for (const { table_name: table } of tables)
      if (
        (await identity.rows(`SELECT FROM "${table}" AS one WHERE one::text LIKE $1`, [`%${text}%`])).length >
        0
      )
        found.push(table);
    return found.sort();
  };
  expect(await withText(token)).toEqual([]);
  const asBytes = Buffer.from(token).toString('hex');
  expect(await withText(asBytes)).toEqual([]);
  // The search is able to find.
  expect(await withText(person.user.email)).toEqual(['action_tokens', 'password_resets', 'users']);

  identity.clock.advance(91 * 24 * HOUR);
  await identity.get(PurgeAccountMails).execute(new AbortController().signal);
  for (const table of ['action_tokens', 'account_notices', 'password_resets', 'sign_in_devices'])
    expect([table, await identity.rows(`SELECT FROM ${table}`)]).toEqual([table, []]);
});
