import type { Session } from '@pulso/contracts/identity/v1/identity';
import { contactTopic, userTopic } from '@pulso/contracts/topics/identity';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { VerifyEmail } from '../src/account/verify-email.js';
import { BeginOpenid } from '../src/openid/begin-openid.js';
import { FinishOpenid } from '../src/openid/finish-openid.js';
import { LogIn } from '../src/session/log-in.js';
import { Identity, idOf, PASSWORD, type SignedIn } from './start.js';
import { latestToken, noticesOf } from './support/notices.js';
import { aSigner, OpenidSignIns } from './support/openid-sign-ins.js';
import { REDIRECT_URI, type Signer, type TestProvider } from './support/test-provider.js';

const REFUSED = 'unauthenticated invalid-credential';
const TAKEN = 'conflict email-already-in-use';

let signIns: OpenidSignIns;
let provider: TestProvider;
let identity: Identity;
beforeAll(async () => {
  signIns = await OpenidSignIns.start();
  ({ provider, identity } = signIns);
});
afterAll(() => signIns?.stop());

const begin = () => signIns.begin();
const signIn = (signer: Signer, language?: string) => signIns.signIn(signer, language);

/** The mails that the user of a session gets about the account. */
const mailsOf = async (session: Session) =>
  (await noticesOf(identity, { user: { id: idOf(session) } })).map(({ kind, token, userAgent }) => ({
    kind,
    hasLink: token !== '',
    userAgent,
  }));

const verify = ({ user }: SignedIn) => identity.command('verify-email', user.username);
const linksOf = async (userId: string) =>
  (
    await identity.rows<{ subject: string }>('SELECT subject FROM openid_links WHERE user_id = $1', [userId])
  ).map(({ subject }) => subject);
const usersWith = (email: string) => identity.rows('SELECT id FROM users WHERE email = $1', [email]);

// Rule: ACCT-28
describe('the way to the provider', () => {
  it('asks for a code with state, nonce and PKCE, and for who it is alone', async () => {
    const { searchParams, origin, pathname } = new URL((await begin()).url);
    expect(origin + pathname).toBe(`${provider.issuer}/auth`);
    const { state, nonce, code_challenge: challenge, ...rest } = Object.fromEntries(searchParams);
    expect(rest).toEqual({
      response_type: 'code',
      client_id: 'pulso',
      redirect_uri: REDIRECT_URI,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    for (const random of [state, nonce, challenge]) expect(random).toMatch(/^[\w-]{43}$/);
  });

  it('differs each time, and what the browser keeps fits into a cookie', async () => {
    const [one, other] = [await begin(), await begin()];
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(new URL(one.url).searchParams.get(name)).not.toBe(new URL(other.url).searchParams.get(name));
    }
    expect(one.transaction).toMatch(/^[\w.-]{1,1000}$/);
  });

  // Rule: ACCT-30
  it('is not there without a provider', async () => {
    const alone = await Identity.start();
    onTestEnd(() => alone.stop());
    expect(await outcome(alone.get(BeginOpenid).execute({ redirectUri: REDIRECT_URI }))).toBe(
      'unavailable unavailable',
    );
  });
});

// Rule: ACCT-29
describe('the first sign-in', () => {
  it('makes a member with the name and address of the provider, signed in', async () => {
    const signer = aSigner({ email: 'Noa.Levi@Example.NET', name: ' Noa  Levi ' });
    const session = await signIn(signer, 'es');
    const user = await identity.stored(session);
    expect(user).toMatchObject({
      name: 'Noa Levi',
      username: 'noa-levi',
      email: 'noa.levi@example.net',
      emailVerified: true,
      passwordHash: null,
      isCoach: false,
      language: 'es',
    });
    expect(session.account).toMatchObject({ hasPassword: false, emailVerified: true });
    expect(session.refreshToken).toMatch(/^[\w-]{43}$/);
    await identity.service.drainEvents();
    expect(identity.service.deliveredState(userTopic, user.id)).toMatchObject({ username: 'noa-levi' });
    expect(identity.service.deliveredState(contactTopic, user.id)).toMatchObject({
      emailVerified: true,
      welcomedByNotice: true,
    });
    expect(await outcome(logIn(user.email))).toBe(REFUSED);
  });

  it('takes an address that the provider has not verified for not verified', async () => {
    expect((await signIn(aSigner({ email_verified: false }))).account?.emailVerified).toBe(false);
    expect((await signIn(aSigner({ email_verified: undefined }))).account?.emailVerified).toBe(false);
    // Some providers send texts.
    expect((await signIn(aSigner({ email_verified: 'true' }))).account?.emailVerified).toBe(true);
  });

  // Rule: MAIL-1
  it('welcomes once, with a link where the address is still to be verified', async () => {
    const [verified, unverified] = [aSigner(), aSigner({ email_verified: false })];
    const session = await signIn(verified);
    await signIn(verified);
    expect(await mailsOf(session)).toEqual([{ kind: 'welcome', hasLink: false, userAgent: '' }]);
    const other = await signIn(unverified);
    expect(await mailsOf(other)).toEqual([{ kind: 'welcome', hasLink: true, userAgent: '' }]);
    const token = await latestToken(identity, { user: { id: idOf(other) } }, 'welcome');
    await identity.get(VerifyEmail).execute({ token });
    expect(await identity.stored(other)).toMatchObject({ emailVerified: true });
  });

  // Rule: PEOPLE-7
  it('makes the username of the name, with -1, -2 where it is held or reserved', async () => {
    const named = async (fields: Partial<Signer>) =>
      (await identity.stored(await signIn(aSigner(fields)))).username;
    await identity.signUp({ username: 'jose-garcia' });
    const names = [];
    for (let time = 0; time < 3; time += 1) names.push(await named({ name: 'José García' }));
    expect(names).toEqual(['jose-garcia-1', 'jose-garcia-2', 'jose-garcia-3']);
    expect(await named({ name: 'Feed' })).toBe('feed-1');
    expect(await named({ name: '山田', email: 'Taro@example.net' })).toBe('taro');
    expect(await named({ name: 'Al' })).toBe('user-al');
    const former = await identity.signUp({ username: 'given-up' });
    await identity.update(former, { username: 'another-name' });
    expect(await named({ name: 'Given up' })).toBe('given-up-1');
  });

  it.each<[string, unknown, string]>([
    ['none', undefined, 'nameless'],
    ['one that nobody sees', '\u200b', 'nameless'],
    ['a control character', 'Ana\u0007', 'nameless'],
    ['one that is too long', 'x'.repeat(200), 'x'.repeat(80)],
  ])('takes a name that can be shown: %s', async (_, name, expected) => {
    const email = `nameless@host-${crypto.randomUUID()}.example`;
    const session = await signIn(aSigner({ email, name: name as string }));
    expect(session.account?.user?.name).toBe(expected);
  });

  it.each([undefined, '', 'nobody', 'two@x.example, three@x.example'])(
    'is refused without an address: %j',
    async (email) => {
      const before = await identity.rows('SELECT count(*) FROM users');
      expect(await outcome(signIn(aSigner({ email })))).toBe(REFUSED);
      expect(await identity.rows('SELECT count(*) FROM users')).toEqual(before);
    },
  );

  it('makes one account, however many of its kind come at once', async () => {
    const signer = aSigner();
    const sessions = await Promise.all(Array.from({ length: 6 }, () => signIn(signer)));
    expect(new Set(sessions.map(idOf)).size).toBe(1);
    expect(await usersWith(signer.email!)).toHaveLength(1);
    expect(await linksOf(idOf(sessions[0]!))).toEqual([signer.sub]);
  });

  it('gives each of several with one name a username of their own at once', async () => {
    const signing = Array.from({ length: 4 }, () => signIn(aSigner({ name: 'Same Name' })));
    const names = (await Promise.all(signing)).map(({ account }) => account!.user!.username);
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^same-name(-\d)?$/);
  });

  it('and a sign-up with the same address: one makes the account, the other is told', async () => {
    const signer = aSigner();
    const outcomes = await Promise.all([
      outcome(signIn(signer)),
      outcome(identity.signUp({ email: signer.email })),
    ]);
    expect(tally(outcomes)).toEqual({ resolved: 1, [TAKEN]: 1 });
    expect(await usersWith(signer.email!)).toHaveLength(1);
  });
});

// Rule: ACCT-28
describe('a later sign-in', () => {
  it('is to the same account, whatever either address is by now', async () => {
    const signer = aSigner();
    const id = idOf(await signIn(signer));
    expect(idOf(await signIn({ ...signer, email: 'moved@example.net', email_verified: false }))).toBe(id);
    await identity.service.tamper("UPDATE users SET email = 'elsewhere@example.net' WHERE id = $1", [id]);
    expect(idOf(await signIn(signer))).toBe(id);
  });

  // Rule: ACCT-41
  it('from a new device is told to the verified address', async () => {
    const signer = aSigner();
    const session = await signIn(signer);
    const { url, transaction } = await begin();
    const device = { userAgent: 'Safari on a phone', address: '192.0.2.9' };
    const callbackUrl = await provider.signIn(url, signer);
    await identity.get(FinishOpenid).execute({ transaction, callbackUrl, device, language: '' });
    expect((await mailsOf(session)).slice(1)).toEqual([
      { kind: 'new-sign-in', hasLink: false, userAgent: 'Safari on a phone' },
    ]);
  });

  it('of a suspended account is refused, of a deleted one as if there were none', async () => {
    const [suspended, deleted] = [aSigner(), aSigner()];
    const ids = [idOf(await signIn(suspended)), idOf(await signIn(deleted))];
    await identity.rows("UPDATE users SET status = 'suspended' WHERE id = $1", [ids[0]]);
    await identity.rows("UPDATE users SET status = 'deleted' WHERE id = $1", [ids[1]]);
    expect(await outcome(signIn(suspended))).toBe('permission-denied user-disabled');
    expect(await outcome(signIn(deleted))).toBe(REFUSED);
    // Another user of the provider who has the address of the deleted account.
    expect(await outcome(signIn(aSigner({ email: deleted.email })))).toBe(REFUSED);
  });
});

// Rule: ACCT-28
describe('an account with the same address', () => {
  it('is joined where both sides have verified it, and has no password until its owner sets one', async () => {
    const member = await identity.signUp();
    await verify(member);
    const signer = aSigner({ email: member.user.email.toUpperCase() });
    expect(idOf(await signIn(signer))).toBe(member.user.id);
    expect(await linksOf(member.user.id)).toEqual([signer.sub]);
    expect(await outcome(logIn(member.user.email))).toBe(REFUSED);
  });

  it.each([
    [false, true],
    [true, false],
    [false, false],
  ])('is taken where Pulso has verified it: %s, and the provider: %s', async (here, there) => {
    const member = await identity.signUp();
    if (here) await verify(member);
    expect(await outcome(signIn(aSigner({ email: member.user.email, email_verified: there })))).toBe(TAKEN);
    expect(await linksOf(member.user.id)).toEqual([]);
    expect(await usersWith(member.user.email)).toHaveLength(1);
  });

  it('is not the one that waits for the address to be verified', async () => {
    const member = await identity.signUp();
    const signer = aSigner();
    await identity.service.tamper('UPDATE users SET pending_email = $2 WHERE id = $1', [
      member.user.id,
      signer.email,
    ]);
    expect(idOf(await signIn(signer))).not.toBe(member.user.id);
  });

  it('that is suspended is not joined', async () => {
    const member = await identity.signUp();
    await verify(member);
    await identity.rows("UPDATE users SET status = 'suspended' WHERE id = $1", [member.user.id]);
    expect(await outcome(signIn(aSigner({ email: member.user.email })))).toBe(
      'permission-denied user-disabled',
    );
    expect(await linksOf(member.user.id)).toEqual([]);
  });
});

const logIn = (email: string) =>
  identity.get(LogIn).execute({ email, password: PASSWORD, device: undefined });
