import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { TestAuthenticator } from '@pulso/platform/testing/test-authenticator';
import { EndSession } from '../src/session/end-session.js';
import { ListPasskeys } from '../src/passkey/list-passkeys.js';
import { RemovePasskey } from '../src/passkey/remove-passkey.js';
import { RenamePasskey } from '../src/passkey/rename-passkey.js';
import { Identity, idOf, PASSWORD, type SignedIn } from './start.js';
import { noticesOf } from './support/notices.js';
import { ORIGIN, PasskeySteps } from './support/passkeys.js';

const MINUTE = 60_000;
const REFUSED = 'unauthenticated invalid-credential';
const UNUSABLE = 'unprocessable unprocessable';
const WRONG = 'permission-denied wrong-password';

let identity: Identity;
let steps: PasskeySteps;
beforeAll(async () => {
  identity = await Identity.start();
  steps = new PasskeySteps(identity);
});
afterAll(() => identity?.stop());

const listed = async (person: SignedIn) =>
  (await identity.as(person, () => identity.get(ListPasskeys).execute())).passkeys;

// Rule: ACCT-43
describe('a new passkey', () => {
  it('belongs to the host, can be found without a name, and verifies its user', async () => {
    const person = await identity.signUp();
    const options = JSON.parse(await steps.begin(person)) as Record<string, unknown>;
    expect(options).toMatchObject({
      rp: { name: 'Pulso', id: 'pulso.example' },
      user: { name: person.user.email, displayName: person.user.name },
      attestation: 'none',
      timeout: 5 * MINUTE,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const { id } = options['user'] as { id: string };
    expect(Buffer.from(id, 'base64url').toString('hex')).toBe(person.user.id.replaceAll('-', ''));
  });

  it('is listed with its name, the newest first, and is not asked for again', async () => {
    const person = await identity.signUp();
    const { passkey, authenticator } = await steps.add(person, undefined, '  My phone ');
    expect(passkey).toEqual({
      id: expect.any(String),
      name: 'My phone',
      createdAt: identity.clock.now(),
      lastUsedAt: undefined,
      backedUp: false,
    });
    identity.clock.advance(1);
    const synced = await steps.add(person, new TestAuthenticator(ORIGIN, { backedUp: true }), 'My keychain');
    expect(await listed(person)).toEqual([{ ...synced.passkey, backedUp: true }, passkey]);
    const { excludeCredentials: known } = JSON.parse(await steps.begin(person)) as {
      excludeCredentials: object[];
    };
    const id = authenticator.get(await steps.beginLogIn()).id;
    expect(known).toHaveLength(2);
    expect(known[1]).toEqual({ id, type: 'public-key', transports: ['internal', 'hybrid'] });
  });

  // Rule: MAIL-13
  it('is told to the verified address alone', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    await identity.command('verify-email', person.user.username);
    for (const owner of [person, other]) {
      const refused = new TestAuthenticator(ORIGIN).create(await steps.begin(owner), { verified: false });
      expect(await outcome(steps.finish(owner, refused))).toBe(UNUSABLE);
      await steps.add(owner);
    }
    const told = async (owner: SignedIn) =>
      (await noticesOf(identity, owner)).filter(({ kind }) => kind === 'passkey-added');
    expect(await told(person)).toMatchObject([
      { to: person.user.email, token: '', lasts: 3 * 24 * 60 * MINUTE },
    ]);
    expect(await told(other)).toEqual([]);
  });

  // Rule: MAIL-13
  it('that is removed is told to the verified address alone, and one that was not there is not', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    await identity.command('verify-email', person.user.username);
    for (const owner of [person, other]) {
      const { id } = (await steps.add(owner)).passkey;
      const remove = () => identity.as(owner, () => identity.get(RemovePasskey).execute({ id }));
      expect(await outcome(remove())).toBe('resolved');
      expect(await outcome(remove())).toBe('not-found not-found');
    }
    const told = async (owner: SignedIn) =>
      (await noticesOf(identity, owner)).filter(({ kind }) => kind === 'passkey-removed');
    expect(await told(person)).toMatchObject([
      { to: person.user.email, token: '', lasts: 3 * 24 * 60 * MINUTE },
    ]);
    expect(await told(other)).toEqual([]);
  });

  it('needs a fresh sign-in, or else the current password', async () => {
    const person = await identity.signUp();
    expect(await outcome(steps.begin(person, 'something else'))).toBe(WRONG);
    identity.clock.advance(5 * MINUTE);
    expect(await outcome(steps.begin(person))).toBe(WRONG);
    const options = await steps.begin(person, PASSWORD);
    expect(await outcome(steps.finish(person, new TestAuthenticator(ORIGIN).create(options)))).toBe(
      'resolved',
    );
  });

  it('has a name', async () => {
    const person = await identity.signUp();
    const options = await steps.begin(person);
    for (const name of ['', ' ', 'x'.repeat(81), 'a\nb'])
      expect(await outcome(steps.finish(person, new TestAuthenticator(ORIGIN).create(options), name))).toBe(
        'invalid-argument validation-failed',
      );
  });

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of the same host without TLS', { origin: 'http://pulso.example' }],
    ['for another host', { host: 'evil.example' }],
    ['with another challenge', { challenge: 'bm90IG91cnM' }],
    ['of a page in a frame of another site', { crossOrigin: true }],
    ['that shows one instead of making one', { type: 'webauthn.get' }],
    ['of somebody whom nothing has verified', { verified: false }],
    ['with certificates of a maker', { format: 'tpm' }],
    ['with a statement of an unknown form', { format: 'surprise' }],
  ])('is refused by an answer %s', async (_, wrong) => {
    const person = await identity.signUp();
    const answer = new TestAuthenticator(ORIGIN).create(await steps.begin(person), wrong);
    expect(await outcome(steps.finish(person, answer))).toBe(UNUSABLE);
    expect(await listed(person)).toEqual([]);
  });

  it.each([
    ['no client data', { clientDataJSON: '' }],
    ['client data that are no JSON', { clientDataJSON: Buffer.from('{').toString('base64url') }],
    ['client data of another type', { clientDataJSON: Buffer.from('null').toString('base64url') }],
    ['no object', { attestationObject: '' }],
    ['an object that is no CBOR', { attestationObject: '____' }],
    ['a long object', { attestationObject: 'AAAA'.repeat(10_000) }],
  ])('is refused by %s', async (_, part) => {
    const person = await identity.signUp();
    const answer = new TestAuthenticator(ORIGIN).create(await steps.begin(person));
    Object.assign(answer.response, part);
    expect(await outcome(steps.finish(person, answer))).toBe(UNUSABLE);
  });

  it('is refused to another account than the one that has asked', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    const answer = new TestAuthenticator(ORIGIN).create(await steps.begin(other));
    expect(await outcome(steps.finish(person, answer))).toBe(UNUSABLE);
    expect(await outcome(steps.finish(other, answer))).toBe('resolved');
  });

  it('is no passkey of a second account', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    const { authenticator } = await steps.add(person);
    const answer = authenticator.create(await steps.begin(other));
    expect(await outcome(steps.finish(other, answer))).toBe('conflict conflict');
    expect(await listed(other)).toEqual([]);
    authenticator.create(await steps.begin(person));
    expect(idOf(await steps.logIn(authenticator))).toBe(person.user.id);
  });

  it('is refused after 5 minutes, and the second time', async () => {
    const person = await identity.signUp();
    const late = new TestAuthenticator(ORIGIN).create(await steps.begin(person));
    identity.clock.advance(5 * MINUTE);
    expect(await outcome(steps.finish(person, late))).toBe(UNUSABLE);
    const options = await steps.begin(person, PASSWORD);
    expect(await outcome(steps.finish(person, new TestAuthenticator(ORIGIN).create(options)))).toBe(
      'resolved',
    );
    expect(await outcome(steps.finish(person, new TestAuthenticator(ORIGIN).create(options)))).toBe(UNUSABLE);
  });

  it('is refused to a session that has ended since', async () => {
    const person = await identity.signUp();
    const answer = new TestAuthenticator(ORIGIN).create(await steps.begin(person));
    const id = await identity.sessionOf(person);
    await identity.as(person, () => identity.get(EndSession).execute({ id }));
    expect(await outcome(steps.finish(person, answer))).toBe('unauthenticated user-token-expired');
  });

  // Rule: LIMIT-19
  it('is one of 20, also of many that are added at the same time', async () => {
    const person = await identity.signUp();
    for (let count = 0; count < 18; count += 1) await steps.add(person);
    const answers = [];
    for (let count = 0; count < 4; count += 1)
      answers.push(new TestAuthenticator(ORIGIN).create(await steps.begin(person)));
    const outcomes = await Promise.all(answers.map((answer) => outcome(steps.finish(person, answer))));
    expect(tally(outcomes)).toEqual({ resolved: 2, [UNUSABLE]: 2 });
    expect(await listed(person)).toHaveLength(20);
    expect(await outcome(steps.begin(person))).toBe(UNUSABLE);
  });
});

// Rule: ACCT-43
describe('a passkey of one’s own', () => {
  const rename = (person: SignedIn, id: string, name: string) =>
    identity.as(person, () => identity.get(RenamePasskey).execute({ id, name }));
  const remove = (person: SignedIn, id: string) =>
    identity.as(person, () => identity.get(RemovePasskey).execute({ id }));

  it('is renamed and removed, after which it signs in no more', async () => {
    const person = await identity.signUp();
    const { passkey, authenticator } = await steps.add(person);
    expect(await rename(person, passkey.id, 'Old phone')).toEqual({ ...passkey, name: 'Old phone' });
    expect(await outcome(rename(person, passkey.id, ''))).toBe('invalid-argument validation-failed');
    await remove(person, passkey.id);
    expect(await listed(person)).toEqual([]);
    expect(await outcome(remove(person, passkey.id))).toBe('not-found not-found');
    expect(await outcome(steps.logIn(authenticator))).toBe(REFUSED);
  });

  it('is nobody else’s to see, rename or remove', async () => {
    const [person, other] = [await identity.signUp(), await identity.signUp()];
    const { passkey } = await steps.add(person);
    expect(await listed(other)).toEqual([]);
    for (const id of [passkey.id, 'none', '']) {
      expect(await outcome(rename(other, id, 'Mine'))).toBe('not-found not-found');
      expect(await outcome(remove(other, id))).toBe('not-found not-found');
    }
    expect(await listed(person)).toEqual([passkey]);
  });
});
