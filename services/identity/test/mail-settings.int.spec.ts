import { UserStatus } from '@pulso/contracts/identity/v1/events';
import type { UpdateMeRequest } from '@pulso/contracts/identity/v1/identity';
import { contactTopic, userTopic } from '@pulso/contracts/topics/identity';
import { userSuspensionTopic } from '@pulso/contracts/topics/social';
import type { DomainError } from '@pulso/platform/errors/domain-error';
import type { PostgresStore } from '@pulso/platform/postgres/postgres-store';
import { aPostgresDatabase } from '@pulso/platform/testing/databases';
import { outcome } from '@pulso/platform/testing/outcomes';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Unsubscribe } from '../src/account/unsubscribe.js';
import { AddMailSettings1764700000000 } from '../src/migrations/add-mail-settings.migration.js';
import { identity as definition } from '../src/service.js';
import { newUnsubscribeToken } from '../src/store/optional-emails.js';
import { aCoachRow, storeCoaches } from './support/directory.js';
import { Identity, type SignedIn } from './start.js';

const TOKEN = /^[\w-]{22}$/;

let identity: Identity;
beforeAll(async () => (identity = await Identity.start()));
afterAll(() => identity?.stop());

const update = (person: SignedIn, fields: Partial<UpdateMeRequest>) => identity.update(person, fields);
const stored = (person: SignedIn) => identity.stored(person);
const verify = ({ user }: SignedIn) => identity.command('verify-email', user.username);
const unsubscribe = async (token: string) => (await identity.get(Unsubscribe).execute({ token })).emails;

async function contactOf({ user }: SignedIn) {
  await identity.service.drainEvents();
  return identity.service.deliveredState(contactTopic, user.id)!;
}

// Rule: MAIL-8
describe('the contact', () => {
  it('is published with each write of a user, in the version of the public state', async () => {
    const person = await identity.signUp();
    const { id, email, createdAt, unsubscribeToken } = person.user;
    expect(await contactOf(person)).toEqual({
      ...{ id, email, createdAt, unsubscribeToken, version: person.user.version, emailVerified: false },
      ...{ status: UserStatus.USER_STATUS_ACTIVE, language: 'en' },
      ...{ wantsSubscriptionMails: true, wantsSecurityMails: true, welcomedByNotice: true },
    });

    const changed = await update(person, { name: 'Other', language: 'es' });
    expect(await contactOf(person)).toMatchObject({ version: changed.version, language: 'es', email });
    expect(identity.service.deliveredState(userTopic, id)).toMatchObject({ version: changed.version });

    const decision = { userId: id, suspended: true, version: 1, reason: 'spam', decidedAt: 0 };
    await identity.service.tell(userSuspensionTopic, decision);
    expect(await contactOf(person)).toMatchObject({ status: UserStatus.USER_STATUS_SUSPENDED, email });
  });

  it('has a token of 128 random bits, another one for each user', async () => {
    const people = [await identity.signUp(), await identity.signUp()];
    const tokens = people.map(({ user }) => user.unsubscribeToken);
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(token).toMatch(TOKEN);
  });

  it('is republished', async () => {
    const person = await identity.signUp();
    const told = await contactOf(person);
    const delivered = identity.service.delivered.get(contactTopic.name)!;
    delivered.clear();
    const { length } = await identity.rows('SELECT FROM users');
    expect(await identity.service.running.republish('contact')).toBe(length);
    expect(await contactOf(person)).toEqual(told);
    expect(delivered.size).toBe(length);
  });
});

// Rule: MAIL-6
describe('the language of mails', () => {
  it('comes from the sign-up, and can be changed', async () => {
    const person = await identity.signUp({ language: 'es' });
    expect(person.user.language).toBe('es');
    expect(await update(person, { language: 'en' })).toMatchObject({ language: 'en' });
    expect((await stored(person)).language).toBe('en');
  });

  it.each(['fr', 'EN', 'es-MX', ' es', 'constructor'])('is refused when it is %j', async (language) => {
    const person = await identity.signUp();
    const refused = { code: 'validation-failed', details: { errors: [{ path: 'language' }] } };
    for (const asked of [identity.signUp({ language }), update(person, { language })]) {
      await expect(asked).rejects.toMatchObject(refused);
    }
    expect(await outcome(update(person, { language: '' }))).toBe('invalid-argument validation-failed');
  });
});

// Rule: MAIL-6
describe('the wanted mails', () => {
  it('are switched one by one', async () => {
    const person = await identity.signUp();
    await verify(person);
    const off = await update(person, { emails: { subscriptions: false } });
    expect(off).toMatchObject({ wantsSubscriptionMails: false, wantsSecurityMails: true });
    expect(await contactOf(person)).toMatchObject({
      wantsSubscriptionMails: false,
      wantsSecurityMails: true,
    });
    const swapped = await update(person, { emails: { subscriptions: true, security: false } });
    expect(swapped).toMatchObject({ wantsSubscriptionMails: true, wantsSecurityMails: false });
    expect(await update(person, { emails: {} })).toEqual(swapped);
  });

  it('stay off once they are off, until the address is verified', async () => {
    const person = await identity.signUp();
    await unsubscribe(`subscriptions.${person.user.unsubscribeToken}`);
    await update(person, { emails: { security: false } });
    const off = await contactOf(person);
    for (const emails of [
      { subscriptions: true },
      { security: true },
      { subscriptions: true, security: true },
    ]) {
      const refused = await update(person, { emails, bio: 'changed' }).catch((error: DomainError) => error);
      expect(refused).toMatchObject({
        code: 'permission-denied',
        message: 'Verify your email address before you switch these emails on again.',
      });
    }
    expect(await stored(person)).toMatchObject({ bio: '', wantsSubscriptionMails: false });
    expect(await contactOf(person)).toEqual(off);
    // What says nothing new is no switching on.
    const same = { emails: { subscriptions: false, security: false }, bio: 'changed' };
    expect(await update(person, same)).toMatchObject({ bio: 'changed' });

    await verify(person);
    await update(person, { emails: { subscriptions: true, security: true } });
    expect(await contactOf(person)).toMatchObject({
      ...{ emailVerified: true, wantsSubscriptionMails: true, wantsSecurityMails: true },
    });
  });
});

// Rule: ACCT-37
describe('an address that an operator takes for verified', () => {
  it('is published so, once', async () => {
    const person = await identity.signUp();
    const { username, email, version } = person.user;
    expect(await verify(person)).toEqual([`${username}: ${email} counts as verified.`]);
    const told = await contactOf(person);
    expect(told).toMatchObject({ email, emailVerified: true });
    expect(told.version).toBeGreaterThan(version);
    expect(await stored(person)).toMatchObject({ emailVerified: true });
    expect(await verify(person)).toEqual([`${username}: ${email} counts as verified.`]);
    expect(await contactOf(person)).toEqual(told);
  });

  it('is that of a present username alone', async () => {
    const person = await identity.signUp();
    const { username } = person.user;
    await update(person, { username: `${username}-now` });
    for (const name of [username, 'nobody-at-all']) {
      await expect(identity.command('verify-email', name)).rejects.toMatchObject({
        code: 'not-found',
        message: `No account is called ${name}.`,
      });
    }
    expect(await stored(person)).toMatchObject({ emailVerified: false });
    await identity.rows(`UPDATE users SET status = 'deleted' WHERE id = $1`, [person.user.id]);
    expect(await outcome(identity.command('verify-email', `${username}-now`))).toBe('not-found not-found');
  });
});

// Rule: MAIL-6
describe('an unsubscribe link', () => {
  it('switches its kind of mails off, also when it is used again', async () => {
    const person = await identity.signUp();
    const link = `subscriptions.${person.user.unsubscribeToken}`;
    expect(await unsubscribe(link)).toBe('subscriptions');
    const off = await contactOf(person);
    expect(off).toMatchObject({ wantsSubscriptionMails: false, wantsSecurityMails: true });
    expect(off.version).toBeGreaterThan(person.user.version);
    expect(await unsubscribe(link)).toBe('subscriptions');
    expect(await contactOf(person)).toEqual(off);
  });

  it('loses nothing when both kinds are switched off at once', async () => {
    const person = await identity.signUp();
    const { unsubscribeToken: token } = person.user;
    await Promise.all([unsubscribe(`subscriptions.${token}`), unsubscribe(`security.${token}`)]);
    expect(await stored(person)).toMatchObject({ wantsSubscriptionMails: false, wantsSecurityMails: false });
  });

  it('works for a suspended account, and not for a deleted one', async () => {
    const person = await identity.signUp();
    const link = `security.${person.user.unsubscribeToken}`;
    const become = (status: string) =>
      identity.rows('UPDATE users SET status = $2 WHERE id = $1', [person.user.id, status]);
    await become('suspended');
    expect(await unsubscribe(link)).toBe('security');
    await become('deleted');
    expect(await outcome(unsubscribe(link))).toBe('invalid-argument invalid-action-code');
  });

  it('is refused when its token is malformed or unknown', async () => {
    const { user } = await identity.signUp();
    const tokens = [
      '',
      'nonsense',
      user.unsubscribeToken,
      `welcome.${user.unsubscribeToken}`,
      'x'.repeat(5000),
    ];
    for (const token of [...tokens, `security.${newUnsubscribeToken()}`, `security.${user.id}`]) {
      const refused = await unsubscribe(token).catch((error: DomainError) => error);
      expect(refused).toMatchObject({ code: 'invalid-action-code', message: 'This link is not valid.' });
    }
  });
});

// Rule: MAIL-6
it('gives accounts that exist already, or are made by the version before, a token each', async () => {
  const database = await aPostgresDatabase('identity');
  const store = definition.store as PostgresStore;
  const target = { service: 'identity', setting: 'IDENTITY_DATABASE_URL', url: database.url, pool: 1 };
  const all = store.dataSourceOptions(target);
  const migrations = (all.migrations as (new () => object)[]).filter(
    (migration) => migration !== AddMailSettings1764700000000,
  );
  const before = await new DataSource({ ...all, migrations }).initialize();
  await before.runMigrations({ transaction: 'each' });
  await before.destroy();
  const client = new Client(database.url);
  await client.connect();
  const add = (count: number) =>
    storeCoaches(
      (sql, values) => client.query(sql, values),
      Array.from({ length: count }, () => aCoachRow()),
    );
  try {
    await add(1_100);
    await store.migrate(target);
    await add(2);
    const { rows } = await client.query<Record<string, unknown>>(
      'SELECT language, wants_subscription_mails AS subs, wants_security_mails AS security, unsubscribe_token AS token FROM users',
    );
    expect(new Set(rows.map(({ token }) => token)).size).toBe(1_102);
    const settings = { language: 'en', subs: true, security: true, token: expect.stringMatching(TOKEN) };
    for (const row of rows) expect(row).toEqual(settings);
    await expect(client.query('UPDATE users SET unsubscribe_token = $1', [rows[0]!.token])).rejects.toThrow(
      'users_unsubscribe_token_key',
    );
  } finally {
    await client.end();
    await database.drop();
  }
});
