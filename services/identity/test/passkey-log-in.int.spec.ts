import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { TestAuthenticator } from '@pulso/platform/testing/test-authenticator';
import { ListPasskeys } from '../src/passkey/list-passkeys.js';
import { LogIn } from '../src/session/log-in.js';
import { AnsweredChallenges } from '../src/store/answered-challenges.js';
import { Identity, PASSWORD, type SignedIn } from './start.js';
import { noticesOf } from './support/notices.js';
import { DEVICE, ORIGIN, PasskeySteps } from './support/passkeys.js';

const MINUTE = 60_000;
const REFUSED = 'unauthenticated invalid-credential';

let identity: Identity;
let steps: PasskeySteps;
beforeAll(async () => {
  identity = await Identity.start();
  steps = new PasskeySteps(identity);
});
afterAll(() => identity?.stop());

const listed = async (person: SignedIn) =>
  (await identity.as(person, () => identity.get(ListPasskeys).execute())).passkeys;
const logIn = ({ user }: SignedIn) =>
  identity.get(LogIn).execute({ email: user.email, password: PASSWORD, device: DEVICE });

// Rule: ACCT-43
describe('a sign-in by a passkey', () => {
  it('opens a session of its account, and notes the use', async () => {
    const person = await identity.signUp();
    const { passkey, authenticator } = await steps.add(person, new TestAuthenticator(ORIGIN, { counter: 7 }));
    identity.clock.advance(MINUTE);
    const session = await steps.logIn(authenticator);
    expect(session.account).toEqual(person.account);
    expect(await listed(person)).toEqual([{ ...passkey, lastUsedAt: identity.clock.now() }]);
    expect(await identity.rows('SELECT counter::int FROM passkeys WHERE id = $1', [passkey.id])).toEqual([
      { counter: 8 },
    ]);
  });

  it('begins alike for everybody, and names nobody', async () => {
    const [one, other] = [await steps.beginLogIn(), await steps.beginLogIn()].map(
      (json) => JSON.parse(json) as Record<string, unknown>,
    );
    const { challenge, ...rest } = one!;
    expect(rest).toEqual({ rpId: 'pulso.example', timeout: 5 * MINUTE, userVerification: 'required' });
    expect(other).toEqual({ challenge: expect.any(String), ...rest });
    expect(other!['challenge']).not.toBe(challenge);
  });

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['with another challenge', { challenge: 'bm90IG91cnM' }],
    ['of a page in a frame of another site', { crossOrigin: true }],
    ['that makes one', { type: 'webauthn.create' }],
    ['of somebody whom nothing has verified', { verified: false }],
    ['in the name of another account', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('is refused by an answer %s', async (_, wrong) => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person);
    expect(await outcome(steps.logIn(authenticator, wrong))).toBe(REFUSED);
    expect(await outcome(steps.logIn(authenticator))).toBe('resolved');
  });

  it('is refused to a passkey of nobody, and to one with another key', async () => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person);
    const stranger = new TestAuthenticator(ORIGIN);
    expect(await outcome(steps.logIn(stranger))).toBe(REFUSED);
    const options = await steps.beginLogIn();
    const { id } = authenticator.get(options);
    const forged = { ...stranger.get(options, { userHandle: '' }), id, rawId: id };
    expect(await outcome(steps.finishLogIn(forged))).toBe(REFUSED);
  });

  it.each(['id', 'clientDataJSON', 'authenticatorData', 'signature'])(
    'is refused where %s is empty, no base64url or too long',
    async (part) => {
      const person = await identity.signUp();
      const { authenticator } = await steps.add(person);
      for (const value of ['', '***', 'AAAA'.repeat(10_000)]) {
        const answer = authenticator.get(await steps.beginLogIn());
        if (part === 'id') Object.assign(answer, { id: value, rawId: value });
        else Object.assign(answer.response, { [part]: value });
        expect(await outcome(steps.finishLogIn(answer))).toBe(REFUSED);
      }
    },
  );

  it('is refused the second time, also of many at the same time', async () => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person);
    const answer = authenticator.get(await steps.beginLogIn());
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcome(steps.finishLogIn(answer))));
    expect(tally(outcomes)).toEqual({ resolved: 1, [REFUSED]: 4 });
    expect(await outcome(steps.finishLogIn(answer))).toBe(REFUSED);
  });

  it('is refused after 5 minutes, before that not', async () => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person);
    for (const [milliseconds, expected] of [
      [5 * MINUTE - 1, 'resolved'],
      [5 * MINUTE, REFUSED],
    ] as const) {
      const answer = authenticator.get(await steps.beginLogIn());
      identity.clock.advance(milliseconds);
      expect(await outcome(steps.finishLogIn(answer))).toBe(expected);
    }
  });

  it('is refused by the answer to a confirmation or to a new passkey', async () => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person);
    for (const options of [await steps.beginConfirmation(person), await steps.begin(person)])
      expect(await outcome(steps.finishLogIn(authenticator.get(options)))).toBe(REFUSED);
  });

  it('is refused to a copy of an authenticator that counts', async () => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person, new TestAuthenticator(ORIGIN, { counter: 7 }));
    for (const counter of [7, 6, 0])
      expect(await outcome(steps.logIn(authenticator, { counter }))).toBe(REFUSED);
    const [one, other] = [await steps.beginLogIn(), await steps.beginLogIn()].map((options) =>
      authenticator.get(options, { counter: 50 }),
    );
    const both = await Promise.all([one!, other!].map((answer) => outcome(steps.finishLogIn(answer))));
    expect(tally(both)).toEqual({ resolved: 1, [REFUSED]: 1 });
  });

  it('is told to the verified address where it is on a new device', async () => {
    const person = await identity.signUp();
    await identity.command('verify-email', person.user.username);
    const { authenticator } = await steps.add(person);
    const on = async (userAgent: string) =>
      steps.finishLogIn(authenticator.get(await steps.beginLogIn()), { ...DEVICE, userAgent });
    await on(DEVICE.userAgent);
    await on('curl');
    const told = (await noticesOf(identity, person)).filter(({ kind }) => kind === 'new-sign-in');
    expect(told).toMatchObject([{ userAgent: 'curl' }]);
  });

  // Rule: ACCT-31
  it('of a suspended or deleted account is refused', async () => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person);
    const become = (status: string) =>
      identity.rows('UPDATE users SET status = $2 WHERE id = $1', [person.user.id, status]);
    await become('suspended');
    expect(await outcome(steps.logIn(authenticator, { verified: false }))).toBe(REFUSED);
    expect(await outcome(steps.logIn(authenticator))).toBe('permission-denied user-disabled');
    await become('deleted');
    expect(await outcome(steps.logIn(authenticator))).toBe(REFUSED);
    await become('active');
    expect(await outcome(steps.logIn(authenticator))).toBe('resolved');
  });

  it('keeps an answered challenge as long as it could be answered, and no longer', async () => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person);
    await steps.logIn(authenticator);
    const purge = () => identity.get(AnsweredChallenges).purge(new AbortController().signal);
    const count = async () => (await identity.rows('SELECT FROM answered_challenges')).length;
    const before = await count();
    identity.clock.advance(5 * MINUTE);
    await purge();
    expect(await count()).toBeGreaterThan(0);
    expect(await count()).toBeLessThanOrEqual(before);
    identity.clock.advance(MINUTE);
    await purge();
    expect(await count()).toBe(0);
  });

  it('leaves the password as it was', async () => {
    const person = await identity.signUp();
    const { authenticator } = await steps.add(person);
    await steps.logIn(authenticator);
    expect(await outcome(logIn(person))).toBe('resolved');
  });
});
