import { contactTopic } from '@pulso/contracts/topics/identity';
import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { outcome, tally } from '@pulso/platform/testing/outcomes';
import { ForgotPassword } from '../src/account/forgot-password.js';
import { ResendVerification } from '../src/account/resend-verification.js';
import { ResetPassword } from '../src/account/reset-password.js';
import { SendResetMails } from '../src/account/send-reset-mails.job.js';
import { VerifyEmail } from '../src/account/verify-email.js';
import { Identity, PASSWORD, type SignedIn } from './start.js';
import { latestToken, noticesOf } from './support/notices.js';

const HOUR = 60 * 60 * 1000;
const INVALID = 'invalid-argument invalid-action-code';

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const verify = (token: string) => identity.get(VerifyEmail).execute({ token });
const update = (person: SignedIn, fields: Partial<UpdateMeRequest>) =>
  identity.update(person, { currentPassword: PASSWORD, ...fields });
const resend = (person: SignedIn) => identity.as(person, () => identity.get(ResendVerification).execute());
const stored = (person: SignedIn) => identity.stored(person);
const linkOf = (person: SignedIn) => latestToken(identity, person, 'verify-email');
const notices = (person: SignedIn) => noticesOf(identity, person);
const verifiedPerson = async () => {
  const person = await identity.signUp();
  await verify(await latestToken(identity, person, 'welcome'));
  return person;
};

let addresses = 0;
const newAddress = () => `moved-${(addresses += 1)}@example.org`;

// Rule: ACCT-27, MAIL-1, MAIL-3
describe('the welcome', () => {
  it('is one notice of a new account, with a link that verifies its address for a day', async () => {
    const person = await identity.signUp();
    const [welcome, ...more] = await notices(person);
    expect(more).toEqual([]);
    expect(welcome).toMatchObject({ kind: 'welcome', to: '', lasts: 72 * HOUR });
    await identity.service.drainEvents();
    const contact = identity.service.deliveredState(contactTopic, person.user.id);
    expect(contact).toMatchObject({ welcomedByNotice: true, emailVerified: false });
    await verify(welcome!.token);
    expect(await stored(person)).toMatchObject({ email: person.user.email, emailVerified: true });
    expect((await stored(person)).version).toBeGreaterThan(person.user.version);
    expect(await outcome(verify(welcome!.token))).toBe(INVALID);
  });

  it('verifies nothing after a day', async () => {
    const person = await identity.signUp();
    const token = await latestToken(identity, person, 'welcome');
    identity.clock.advance(24 * HOUR);
    expect(await outcome(verify(token))).toBe(INVALID);
    expect((await stored(person)).emailVerified).toBe(false);
  });
});

// Rule: ACCT-26, ACCT-27
describe('a new address', () => {
  it('gets the link, takes the place of the present one, and that is told', async () => {
    const person = await verifiedPerson();
    const { version } = await stored(person);
    const email = newAddress();
    await update(person, { email });
    expect((await notices(person)).at(-1)).toMatchObject({
      kind: 'verify-email',
      to: email,
      lasts: 24 * HOUR,
    });
    await verify(await linkOf(person));
    const user = await stored(person);
    expect(user).toMatchObject({ email, pendingEmail: null, emailVerified: true });
    expect(user.version).toBeGreaterThan(version);
    expect((await notices(person)).at(-1)).toMatchObject({
      ...{ kind: 'email-changed', to: person.user.email, token: '', lasts: 72 * HOUR },
    });
    await identity.service.drainEvents();
    expect(identity.service.deliveredState(contactTopic, user.id)).toMatchObject({
      email,
      emailVerified: true,
    });
  });

  it('is told to no address that was not verified', async () => {
    const person = await identity.signUp();
    await update(person, { email: newAddress() });
    await verify(await linkOf(person));
    expect((await notices(person)).map(({ kind }) => kind)).toEqual(['welcome', 'verify-email']);
  });

  it('is verified once, also by many requests at the same time', async () => {
    const person = await identity.signUp();
    await update(person, { email: newAddress() });
    const token = await linkOf(person);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(verify(token))));
    expect(tally(outcomes)).toEqual({ resolved: 1, [INVALID]: 7 });
  });

  it('that was withdrawn or replaced cannot be verified any more', async () => {
    const person = await identity.signUp();
    const [first, second] = [newAddress(), newAddress()];
    await update(person, { email: first });
    const replaced = await linkOf(person);
    await update(person, { email: second });
    const withdrawn = await linkOf(person);
    expect(await outcome(verify(replaced))).toBe(INVALID);
    await update(person, { email: person.user.email });
    expect(await outcome(verify(withdrawn))).toBe(INVALID);
    expect(await stored(person)).toMatchObject({ email: person.user.email, pendingEmail: null });
  });

  it('that is asked for again sends nothing and needs no password', async () => {
    const person = await identity.signUp();
    const email = newAddress();
    await update(person, { email });
    const sent = await notices(person);
    identity.clock.advance(HOUR);
    await identity.update(person, { email });
    expect(await notices(person)).toEqual(sent);
  });

  it('that another account has got meanwhile is refused, and waits no longer', async () => {
    const person = await identity.signUp();
    const email = newAddress();
    await update(person, { email });
    const token = await linkOf(person);
    await identity.signUp({ email });
    expect(await outcome(verify(token))).toBe(INVALID);
    expect(await stored(person)).toMatchObject({ email: person.user.email, pendingEmail: null });
  });

  it('of two accounts at the same time becomes that of one', async () => {
    const email = newAddress();
    const people = [await identity.signUp(), await identity.signUp()];
    for (const person of people) await update(person, { email });
    const tokens = await Promise.all(people.map(linkOf));
    const outcomes = await Promise.all(tokens.map((token) => outcome(verify(token))));
    expect(tally(outcomes)).toEqual({ resolved: 1, [INVALID]: 1 });
    const users = await Promise.all(people.map(stored));
    expect(users.filter((user) => user.email === email)).toHaveLength(1);
    expect(users.map(({ pendingEmail }) => pendingEmail)).toEqual([null, null]);
  });

  // Rule: ACCT-41
  it('lets no link to a new password work that went to the former one', async () => {
    const person = await identity.signUp();
    await identity.get(ForgotPassword).execute({ email: person.user.email });
    await identity.get(SendResetMails).execute();
    const token = await latestToken(identity, person, 'reset-password');
    await update(person, { email: newAddress() });
    await verify(await linkOf(person));
    const reset = identity.get(ResetPassword).execute({ token, password: 'another long walk' });
    expect(await outcome(reset)).toBe(INVALID);
  });

  it('cannot be verified for a deleted account', async () => {
    const person = await identity.signUp();
    const token = await latestToken(identity, person, 'welcome');
    await identity.rows("UPDATE users SET status = 'deleted' WHERE id = $1", [person.user.id]);
    expect(await outcome(verify(token))).toBe(INVALID);
  });
});

// Rule: ACCT-27
describe('a link that is sent again', () => {
  it('goes to the pending address, else to the one that is not verified, else nowhere; the one before works no more', async () => {
    const person = await identity.signUp();
    const welcome = await latestToken(identity, person, 'welcome');
    await resend(person);
    expect((await notices(person)).at(-1)).toMatchObject({ kind: 'verify-email', to: person.user.email });
    expect(await outcome(verify(welcome))).toBe(INVALID);
    await verify(await linkOf(person));
    const sent = await notices(person);
    await resend(person);
    expect(await notices(person)).toEqual(sent);
    const email = newAddress();
    await update(person, { email });
    await resend(person);
    expect((await notices(person)).slice(sent.length).map(({ to }) => to)).toEqual([email, email]);
    await verify(await linkOf(person));
    expect((await stored(person)).email).toBe(email);
  });

  // Rule: LIMIT-18
  it('is one of five in an hour; beyond that the last one goes on working', async () => {
    const person = await identity.signUp();
    for (let time = 0; time < 8; time += 1) await resend(person);
    const count = async () => (await notices(person)).filter(({ kind }) => kind === 'verify-email').length;
    expect(await count()).toBe(5);
    const email = newAddress();
    await update(person, { email });
    expect([await count(), (await stored(person)).pendingEmail]).toEqual([5, email]);
    identity.clock.advance(HOUR);
    await resend(person);
    expect(await count()).toBe(6);
    await verify(await linkOf(person));
    expect((await stored(person)).email).toBe(email);
  });

  // Rule: LIMIT-18
  describe('to an address of somebody else', () => {
    const signUps = async (count: number) => {
      const people = [];
      for (let index = 0; index < count; index += 1) people.push(await identity.signUp());
      return people;
    };
    const sentTo = async (email: string, people: readonly SignedIn[]) =>
      (await Promise.all(people.map(notices))).flat().filter(({ to }) => to === email).length;

    it('reaches a stranger’s address from five accounts in an hour, however many ask', async () => {
      const [email, people] = [newAddress(), await signUps(7)];
      for (const person of people) await update(person, { email });
      expect(await sentTo(email, people)).toBe(5);
      identity.clock.advance(HOUR);
      await resend(people[6]!);
      expect(await sentTo(email, people)).toBe(6);
    });

    it('counts all the same where the address is withdrawn at once', async () => {
      const [email, people] = [newAddress(), await signUps(7)];
      for (const person of people) {
        await update(person, { email });
        await update(person, { email: person.user.email });
      }
      expect(await sentTo(email, people)).toBe(5);
    });

    it('goes out of five accounts, too, where many ask at the same time', async () => {
      const [email, people] = [newAddress(), await signUps(8)];
      await Promise.all(people.map((person) => update(person, { email })));
      expect(await sentTo(email, people)).toBe(5);
    });

    it('does not keep the account that has the address from verifying it, which has five of its own', async () => {
      const [email, people] = [newAddress(), await signUps(5)];
      for (const person of people) await update(person, { email });
      expect(await sentTo(email, people)).toBe(5);
      const owner = await identity.signUp({ email });
      for (let time = 0; time < 7; time += 1) await resend(owner);
      expect(await sentTo(email, [owner])).toBe(5);
      await verify(await linkOf(owner));
      expect((await stored(owner)).emailVerified).toBe(true);
    });
  });
});
