import { jest } from '@jest/globals';
import { rpcContracts } from '@pulso/contracts/rpc';
import {
  accountNoticeTopic,
  contactTopic,
  priceIntentTopic,
  userTopic,
} from '@pulso/contracts/topics/identity';
import { type ConsistencyToken, runInContext } from '@pulso/platform/context/request-context';
import type { DomainError } from '@pulso/platform/errors/domain-error';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { aContext } from '@pulso/platform/testing/context';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { outcome } from '@pulso/platform/testing/outcomes';
import { TestService } from '@pulso/platform/testing/test-service';
import { Client } from 'pg';
import { identity as definition } from '../src/service.js';
import { aSignUp, anUpdate, PASSWORD } from './start.js';

type IdentityDefinition = (typeof rpcContracts.identity)['definition'];

let identity: TestService<IdentityDefinition>;
let client: TestService<IdentityDefinition>['client'];

beforeAll(async () => {
  identity = await TestService.start(definition, rpcContracts.identity);
  ({ client } = identity);
});
afterAll(() => identity?.stop());

const contextOf = (accessToken?: string) =>
  aContext({
    authorization: accessToken && `Bearer ${accessToken}`,
    deadline: identity.clock.now() + 60_000,
  });

const as = <T>(accessToken: string, run: () => Promise<T>) => runInContext(contextOf(accessToken), run);

it('signs up, reads and changes the account, and publishes events', async () => {
  const delivered = jest.spyOn(identity.bus, 'delivered');
  onTestEnd(() => delivered.mockRestore());
  const context = contextOf();
  const request = aSignUp({ isCoach: true });
  const session = await runInContext(context, () => client.signUp(request));
  const { user, ...account } = session.account!;
  expect(account).toEqual({
    email: request.email,
    pendingEmail: '',
    emailVerified: false,
    hasPassword: true,
    language: 'en',
    emails: { subscriptions: true, security: true },
  });
  expect(user).toMatchObject({ username: request.username, subscriptionCurrency: '', profileImageId: '' });
  expect(user!.subscriptionPriceMinor).toBeUndefined();
  const [{ version }] = context.wrote as [ConsistencyToken];
  const marks = [userTopic, contactTopic].map(({ name: topic }) => ({ topic, key: user!.id, version }));
  const notice = { topic: accountNoticeTopic.name, key: expect.any(String), version: expect.any(Number) };
  expect(context.wrote).toEqual([...marks, notice]);
  expect(delivered).toHaveBeenCalledWith([...marks, notice], Number(identity.env.READ_WAIT_MS));

  const { accessToken } = session;
  expect(await as(accessToken, () => client.getMe({}))).toEqual(session.account);
  const update = anUpdate({ subscriptionPriceMinor: { value: 40_000 }, specialties: { values: ['Yoga'] } });
  const updated = await as(accessToken, () => client.updateMe(update));
  expect(updated.user).toMatchObject({
    subscriptionPriceMinor: 40_000,
    subscriptionCurrency: 'MXN',
    specialties: ['Yoga'],
  });
  expect(await client.getUser({ id: user!.id })).toEqual(updated.user);
  expect(await client.getUserByUsername({ username: request.username })).toEqual(updated.user);

  await identity.drainEvents();
  const told = identity.deliveredState(userTopic, user!.id);
  expect(told).toMatchObject({ isCoach: true, subscriptionCurrency: '' });
  const intent = identity.deliveredState(priceIntentTopic, user!.id);
  expect(intent).toMatchObject({ userId: user!.id, priceMinor: 40_000, currency: 'MXN' });
});

it('serves a session from login to logout', async () => {
  const request = aSignUp();
  await client.signUp(request);
  const login = await client.logIn({ email: request.email, password: PASSWORD, device: undefined });
  const refreshed = await client.refreshSession({ refreshToken: login.refreshToken, device: undefined });
  const { accessToken } = refreshed;
  const { sessions } = await as(accessToken, () => client.listSessions({}));
  expect(sessions.map(({ current }) => current)).toEqual([true, false]);
  await as(accessToken, () => client.endSession({ id: sessions[1]!.id }));
  await client.logOut({ refreshToken: refreshed.refreshToken });
  const ended = await client.listEndedSessions({ afterEndedAt: 0, afterId: '' });
  expect(ended.sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(sessions.map(({ id }) => id)));
  expect(await outcome(as(accessToken, () => client.getMe({})))).toBe('unauthenticated user-token-expired');
});

it('returns errors with their fields to the client', async () => {
  const refused = client.signUp(aSignUp({ name: '', password: 'abc' }));
  await expect(refused).rejects.toMatchObject({
    kind: 'invalid-argument',
    code: 'validation-failed',
    details: {
      errors: [
        { path: 'name', code: 'required' },
        { path: 'password', code: 'too-short', message: 'Password must be at least 6 characters' },
      ],
    },
  });
  const specialties = Array.from({ length: 100 }, () => '\u0007');
  const many = await client.signUp(aSignUp({ specialties })).catch((error: DomainError) => error);
  expect((many as DomainError).details.errors).toHaveLength(25);
  expect(await outcome(client.getMe({}))).toBe('unauthenticated not-authenticated');
  expect(await outcome(as('forged', () => client.getMe({})))).toBe('unauthenticated user-token-expired');
  expect(await client.getPasswordPolicy({})).toMatchObject({ minLength: 6, maxLength: 128 });
});

it('acknowledges a write even if waiting for its delivery fails', async () => {
  const delivered = jest.spyOn(identity.bus, 'delivered');
  onTestEnd(() => delivered.mockRestore());
  delivered.mockRejectedValueOnce(new Error('bus store is down'));
  expect(await outcome(client.signUp(aSignUp()))).toBe('resolved');
});

it('republishes its users, and refuses entities it does not own', async () => {
  const { account } = await client.signUp(aSignUp());
  await identity.drainEvents();
  const { id } = account!.user!;
  identity.delivered.get(userTopic.name)!.clear();
  const count = (await identity.rows('SELECT FROM users')).length;
  expect(await identity.running.republish('user')).toBe(count);
  await identity.drainEvents();
  expect(identity.delivered.get(userTopic.name)!.size).toBe(count);
  expect(identity.deliveredState(userTopic, id)).toMatchObject({ id, subscriptionCurrency: '' });
  await expect(identity.running.republish('post')).rejects.toThrow(
    'identity owns user, contact, price-intent, account-notice, erasure, and no post',
  );
});

it('migrates again without harm', async () => {
  await definition.store.migrate(readServiceSettings(definition, identity.env).store);
  expect(await outcome(identity.running.checks.store!())).toBe('resolved');
});

it('returns unavailable while its database is down, and works again afterwards', async () => {
  const { account } = await client.signUp(aSignUp());
  const { id } = account!.user!;
  const url = new URL(identity.env.IDENTITY_DATABASE_URL!);
  const name = url.pathname.slice(1);
  const admin = new Client(process.env.PULSO_TEST_POSTGRES_URL);
  await admin.connect();
  try {
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    // Only the service's connections: the bus uses this database too, but counts as a separate engine.
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = $1 AND application_name = 'pulso-identity'`,
      [name],
    );
    expect(await outcome(client.signUp(aSignUp()))).toBe('unavailable unavailable');
    expect(await outcome(client.getUser({ id }))).toBe('unavailable unavailable');
    expect(await outcome(identity.running.checks.store!())).not.toBe('resolved');
  } finally {
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await admin.end();
  }
  expect((await client.getUser({ id })).id).toBe(id);
});
