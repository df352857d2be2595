import type { Session } from '@pulso/contracts/identity/v1/identity';
import { Writes } from '@pulso/platform/postgres/writes';
import { outcome } from '@pulso/platform/testing/outcomes';
import { ForgotPassword } from '../src/account/forgot-password.js';
import { ResetPassword } from '../src/account/reset-password.js';
import { SendResetMails } from '../src/account/send-reset-mails.job.js';
import { type NewPassword, SetPassword } from '../src/account/set-password.js';
import { VerifyEmail } from '../src/account/verify-email.js';
import { LogIn } from '../src/session/log-in.js';
import { AccountNotices } from '../src/store/account-notices.js';
import { UserRepository } from '../src/store/user.repository.js';
import { type Identity, idOf, PASSWORD } from './start.js';
import { latestToken, noticesOf } from './support/notices.js';
import { aSigner, OpenidSignIns } from './support/openid-sign-ins.js';
import { PasskeySteps } from './support/passkeys.js';
import type { Signer } from './support/test-provider.js';

const TAKEN = 'conflict email-already-in-use';

let signIns: OpenidSignIns;
let identity: Identity;
beforeAll(async () => {
  signIns = await OpenidSignIns.start();
  ({ identity } = signIns);
});
afterAll(() => signIns?.stop());

const signIn = (signer: Signer) => signIns.signIn(signer);

const BY_MAIL = { hash: 'a hash', verifiesEmail: true } as const;
const BY_CHANGE = { hash: 'a hash' };
type GivenPassword = Omit<NewPassword, 'notice'>;

/** Gives the account of a session a password, as its owner does. */
const setPassword = async (session: Session, password: GivenPassword) => {
  const notice = await identity.get(AccountNotices).seal('password-changed', {});
  await identity.get(Writes).run(async (transaction) => {
    const user = await identity.get(UserRepository).lockById(idOf(session), transaction);
    await identity.get(SetPassword).execute(user!, { ...password, notice }, transaction);
  });
};

const move = (session: Session, email: string) =>
  identity.service.tamper('UPDATE users SET email = $2 WHERE id = $1', [idOf(session), email]);
const linksOf = async (session: Session) => {
  const sql = 'SELECT subject FROM openid_links WHERE user_id = $1';
  return (await identity.rows<{ subject: string }>(sql, [idOf(session)])).map(({ subject }) => subject);
};
const liveSessionsOf = (session: Session) =>
  identity.rows('SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [idOf(session)]);

// Rule: ACCT-28, ACCT-41
describe('a way in by the provider', () => {
  it('is no more where somebody else has shown that the address is theirs', async () => {
    const intruder = aSigner({ email_verified: false });
    const session = await signIn(intruder);
    await setPassword(session, BY_MAIL);
    expect(await outcome(signIn(intruder))).toBe(TAKEN);
    // The owner, whose provider has verified it.
    expect(idOf(await signIn(aSigner({ email: intruder.email })))).toBe(idOf(session));
    const owner = aSigner();
    const own = await signIn(owner);
    await setPassword(own, BY_MAIL);
    expect(idOf(await signIn(owner))).toBe(idOf(own));
  });

  it('stays where its owner, whose address nobody has verified, changes the password', async () => {
    const owner = aSigner({ email_verified: false });
    const session = await signIn(owner);
    await setPassword(session, BY_CHANGE);
    expect(idOf(await signIn(owner))).toBe(idOf(session));
  });

  it.each<[string, GivenPassword]>([
    ['a mailed link', BY_MAIL],
    ['a change', BY_CHANGE],
  ])(
    'by another address than that of the account is no more after a new password by %s',
    async (_, password) => {
      const intruder = aSigner();
      const session = await signIn(intruder);
      const owner = aSigner();
      await move(session, owner.email!);
      expect(idOf(await signIn(intruder))).toBe(idOf(session));
      await setPassword(session, password);
      expect(await linksOf(session)).toEqual([]);
      expect(idOf(await signIn(intruder))).not.toBe(idOf(session));
      expect(idOf(await signIn(owner))).toBe(idOf(session));
    },
  );

  it('opens no session beside that', async () => {
    for (let time = 0; time < 5; time += 1) {
      const intruder = aSigner({ email_verified: false });
      const session = await signIn(intruder);
      await Promise.all([outcome(signIn(intruder)), setPassword(session, BY_MAIL)]);
      expect(await liveSessionsOf(session)).toEqual([]);
    }
  });
});

// Rule: ACCT-28
describe('an account that a stranger has prepared for its owner', () => {
  it.each<[string, (stranger: Signer) => Promise<[Session, Signer]>]>([
    [
      'who has verified its address by mail',
      async (stranger) => {
        const session = await signIn({ ...stranger, email_verified: false });
        const token = await latestToken(identity, { user: { id: idOf(session) } }, 'welcome');
        await identity.get(VerifyEmail).execute({ token });
        return [session, aSigner({ email: stranger.email })];
      },
    ],
    [
      'whose address it has got later',
      async (stranger) => {
        const [session, owner] = [await signIn(stranger), aSigner()];
        await move(session, owner.email!);
        return [session, owner];
      },
    ],
  ])('is the owner’s alone when they join it: %s', async (_, prepare) => {
    const stranger = aSigner();
    const [session, owner] = await prepare(stranger);
    const id = idOf(session);
    expect(idOf(await signIn(stranger))).toBe(id);
    expect(idOf(await signIn(owner))).toBe(id);
    expect(await linksOf(session)).toEqual([owner.sub]);
    expect(await liveSessionsOf(session)).toHaveLength(1);
    // Refused, or a member of its own.
    expect(await accountOf({ ...stranger, email_verified: false })).not.toBe(id);
    expect(idOf(await signIn(owner))).toBe(id);
    expect(await liveSessionsOf(session)).toHaveLength(2);
  });

  // Rule: ACCT-43
  it('loses its passkeys, also one that was added after the owner had verified the address', async () => {
    const steps = new PasskeySteps(identity);
    const stranger = aSigner({ email_verified: false });
    const session = await signIn(stranger);
    const { authenticator: early } = await steps.add(session);
    const token = await latestToken(identity, { user: { id: idOf(session) } }, 'welcome');
    await identity.get(VerifyEmail).execute({ token });
    const { authenticator: late } = await steps.add(session);
    const owner = aSigner({ email: stranger.email });
    await signIn(owner);
    for (const passkey of [early, late])
      expect(await outcome(steps.logIn(passkey))).toBe('unauthenticated invalid-credential');
    // The owner's own.
    const { authenticator } = await steps.add(session);
    await signIn(owner);
    await signIn(aSigner({ email: stranger.email }));
    expect(idOf(await steps.logIn(authenticator))).toBe(idOf(session));
  });

  // Rule: ACCT-28
  it('loses its password, links to a new one and an address that waits, and keeps a password that the owner sets then', async () => {
    const member = await identity.signUp();
    const { email, username } = member.user;
    await identity.command('verify-email', username);
    await identity.update(member, { email: `other-${email}`, currentPassword: PASSWORD });
    await identity.get(ForgotPassword).execute({ email });
    await identity.get(SendResetMails).execute();
    const reset = await latestToken(identity, member, 'reset-password');
    const pending = await latestToken(identity, member, 'verify-email');
    const logIn = (password: string) => identity.get(LogIn).execute({ email, password, device: undefined });
    const owner = aSigner({ email });
    const { account } = await signIn(owner);
    expect(account).toMatchObject({ hasPassword: false, pendingEmail: '' });
    expect(await outcome(logIn(PASSWORD))).toBe('unauthenticated invalid-credential');
    expect(await outcome(identity.get(ResetPassword).execute({ token: reset, password: PASSWORD }))).toBe(
      'invalid-argument invalid-action-code',
    );
    expect(await outcome(identity.get(VerifyEmail).execute({ token: pending }))).toBe(
      'invalid-argument invalid-action-code',
    );
    expect(await identity.stored(member)).toMatchObject({ passwordHash: null, pendingEmail: null });

    await setPassword(member, { hash: 'of the owner' });
    await signIn(aSigner({ email }));
    expect((await identity.stored(member)).passwordHash).toBe('of the owner');
  });

  it('is told of the first sign-in by the provider, also on a device that it has been used on', async () => {
    const member = await identity.signUp();
    await identity.command('verify-email', member.user.username);
    const device = { userAgent: 'Firefox', address: '192.0.2.9' };
    await identity.get(LogIn).execute({ email: member.user.email, password: PASSWORD, device });
    const told = async () =>
      (await noticesOf(identity, member)).filter(({ kind }) => kind === 'new-sign-in').length;
    const before = await told();
    const owner = aSigner({ email: member.user.email });
    await signIn(owner);
    expect(await told()).toBe(before + 1);
    await signIn(owner);
    expect(await told()).toBe(before + 1);
  });
});

/** Whose account a sign-in opens; undefined where it is refused. */
const accountOf = (signer: Signer) => signIn(signer).then(idOf, () => undefined);
