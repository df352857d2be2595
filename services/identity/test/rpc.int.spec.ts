import { jest } from '@jest/globals';
import { Client } from 'pg';
import { IdentityServiceService } from '@pulso/contracts/identity/v1/identity';
import { UserState } from '@pulso/contracts/identity/v1/events';
import { Lifetime } from '@pulso/platform/context/lifetime';
import { type RequestContext, runInContext } from '@pulso/platform/context/request-context';
import type { DomainError } from '@pulso/platform/errors/domain-error';
import type { EventBus, EventRecord } from '@pulso/platform/events/event-bus';
import { createLogger } from '@pulso/platform/logging/logger';
import { createRpcClient, type RpcClient } from '@pulso/platform/rpc/rpc-client';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import type { RpcTransport } from '@pulso/platform/rpc/rpc-service';
import { type RunningIdentity, startIdentity } from '../src/app.js';
import { migrateIdentity } from '../src/migrate.js';
import { PASSWORD, aConfig, aDatabase, aSignUp, anUpdate, outcome } from './identity-harness.js';

/** A bus that remembers what was published; nobody projects, so everything is settled at once. */
class RecordingBus implements EventBus {
  readonly events: EventRecord[] = [];
  readonly settled = jest.fn(async () => true);

  async publish(events: readonly EventRecord[]): Promise<void> {
    this.events.push(...events);
  }

  of(key: string): UserState[] {
    return this.events.filter((event) => event.key === key).map(({ payload }) => UserState.decode(payload));
  }

  subscribe(): void {}
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  partitions = async () => 1;
  pending = async () => 0;
}

const service = { name: 'pulso.identity.v1.IdentityService', definition: IdentityServiceService };
const transport: RpcTransport = { kind: 'in-process', network: new InProcessNetwork() };
const logger = createLogger({ service: 'identity', level: 'silent' });

let database: Awaited<ReturnType<typeof aDatabase>>;
let bus: RecordingBus;
let identity: RunningIdentity;
let client: RpcClient<typeof IdentityServiceService>;

beforeAll(async () => {
  database = await aDatabase();
  bus = new RecordingBus();
  identity = await startIdentity({ config: await aConfig(database.url), transport, bus, logger });
  client = createRpcClient(service, transport);
});

afterAll(async () => {
  await client.close();
  await identity.close();
  await database.drop();
});

function contextOf(accessToken?: string): RequestContext {
  return {
    requestId: 'test',
    authorization: accessToken && `Bearer ${accessToken}`,
    caller: null,
    deadline: Date.now() + 5_000,
    lifetime: new Lifetime(),
    after: [],
    wrote: [],
    traceparent: undefined,
  };
}

const as = <T>(accessToken: string, run: () => Promise<T>) => runInContext(contextOf(accessToken), run);

it('signs up, reads and changes the account, and tells the bus', async () => {
  const context = contextOf();
  const request = aSignUp({ isCoach: true });
  const session = await runInContext(context, () => client.signUp(request));
  const { user, ...account } = session.account!;
  expect(account).toEqual({
    email: request.email,
    pendingEmail: '',
    emailVerified: false,
    hasPassword: true,
  });
  expect(user).toMatchObject({ username: request.username, subscriptionCurrency: '', profileImageId: '' });
  expect(user!.subscriptionPriceMinor).toBeUndefined();
  const mark = context.wrote[0]!;
  expect(context.wrote).toEqual([{ topic: 'pulso.identity.user.v1', key: user!.id, version: mark.version }]);
  expect(bus.settled).toHaveBeenCalledWith([mark], 500);

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

  await identity.relay.drain();
  expect(bus.of(user!.id).at(-1)).toMatchObject({ subscriptionPriceMinor: 40_000, isCoach: true });
});

it('carries the whole life of a session', async () => {
  const request = aSignUp();
  await client.signUp(request);
  const login = await client.logIn({ email: request.email, password: PASSWORD, device: undefined });
  const refreshed = await client.refreshSession({ refreshToken: login.refreshToken, device: undefined });
  const { accessToken } = refreshed;
  const { sessions } = await as(accessToken, () => client.listSessions({}));
  expect(sessions.map(({ current }) => current)).toEqual([true, false]);
  await as(accessToken, () => client.endSession({ id: sessions[1]!.id }));
  await client.logOut({ refreshToken: refreshed.refreshToken });
  const ended = await client.listEndedSessions({});
  expect(ended.sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(sessions.map(({ id }) => id)));
  expect(await outcome(as(accessToken, () => client.getMe({})))).toBe('unauthenticated user-token-expired');
});

it('passes errors with their fields to the client', async () => {
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

it('acknowledges a write although delivery cannot be waited for', async () => {
  bus.settled.mockRejectedValueOnce(new Error('bus store is down'));
  expect(await outcome(client.signUp(aSignUp()))).toBe('resolved');
});

it('republishes its users, and nothing it does not have', async () => {
  const { account } = await client.signUp(aSignUp());
  await identity.relay.drain();
  const before = bus.events.length;
  await identity.republish('user');
  const again = bus.events.slice(before);
  expect(again.every(({ republished }) => republished)).toBe(true);
  expect(again.map(({ key }) => key)).toContain(account!.user!.id);
  await expect(identity.republish('post')).rejects.toThrow();
});

it('migrates again without harm', async () => {
  await migrateIdentity({ IDENTITY_DATABASE_URL: database.url });
  expect(await outcome(identity.checks.postgres!())).toBe('resolved');
});

it('answers unavailable while its database is away, and works again afterwards', async () => {
  const { account } = await client.signUp(aSignUp());
  const { id } = account!.user!;
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  const admin = new Client(process.env.PULSO_TEST_POSTGRES_URL);
  await admin.connect();
  try {
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    expect(await outcome(client.signUp(aSignUp()))).toBe('unavailable unavailable');
    expect(await outcome(client.getUser({ id }))).toBe('unavailable unavailable');
    expect(await outcome(identity.checks.postgres!())).not.toBe('resolved');
  } finally {
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await admin.end();
  }
  expect((await client.getUser({ id })).id).toBe(id);
});
