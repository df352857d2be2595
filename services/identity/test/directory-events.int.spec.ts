import { Pool } from 'pg';
import { IdentityServiceService, type Session } from '@pulso/contracts/identity/v1/identity';
import { type UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { Lifetime } from '@pulso/platform/context/lifetime';
import { type WriteMark, runInContext } from '@pulso/platform/context/request-context';
import { migrateBus } from '@pulso/platform/events/bus-schema';
import { eventOf } from '@pulso/platform/events/event-record';
import { InProcessBus } from '@pulso/platform/events/in-process-bus';
import type { Topic } from '@pulso/contracts/topics/topic';
import { userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { type RpcClient, createRpcClient } from '@pulso/platform/rpc/rpc-client';
import type { RpcTransport } from '@pulso/platform/rpc/rpc-service';
import { systemClock } from '@pulso/platform/time/clock';
import { type RunningIdentity, startIdentity } from '../src/app.js';
import { PASSWORD, aConfig, aDatabase, aSignUp, outcome } from './identity-harness.js';

const service = { name: 'pulso.identity.v1.IdentityService', definition: IdentityServiceService };
const transport: RpcTransport = { kind: 'in-process', network: new InProcessNetwork() };
const logger = createLogger({ service: 'identity', level: 'silent' });

let database: Awaited<ReturnType<typeof aDatabase>>;
let pool: Pool;
let bus: InProcessBus;
let identity: RunningIdentity;
let client: RpcClient<typeof IdentityServiceService>;
const published: UserState[] = [];

beforeAll(async () => {
  database = await aDatabase();
  pool = new Pool({ connectionString: database.url, max: 5 });
  // `end` may resolve before the server has noticed; dropping by force then ends the connection once more.
  pool.on('error', (error) => {
    if (!pool.ending) throw error;
  });
  await migrateBus(pool);
  bus = new InProcessBus({ pool, clock: systemClock, logger });
  identity = await startIdentity({ config: await aConfig(database.url), transport, bus, logger });
  bus.subscribe({ group: 'test', topic: userTopic, handle: async (user) => void published.push(user) });
  await bus.start();
  client = createRpcClient(service, transport);
});

afterAll(async () => {
  await client.close();
  await identity.close();
  await bus.stop();
  await pool.end();
  await database.drop();
});

function as<T>(session: Session | null, call: () => Promise<T>, after: WriteMark[] = []): Promise<T> {
  return runInContext(
    {
      requestId: 'test',
      authorization: session ? `Bearer ${session.accessToken}` : undefined,
      caller: null,
      deadline: Date.now() + 5_000,
      lifetime: new Lifetime(),
      after,
      wrote: [],
      traceparent: undefined,
    },
    call,
  );
}

async function tell<T>(topic: Topic<T>, state: T): Promise<WriteMark> {
  const event = eventOf(topic, state);
  await bus.publish([event]);
  expect(await bus.settled([event], 5_000)).toBe(true);
  return event;
}

async function drain(): Promise<void> {
  await identity.relay.drain();
  while ((await bus.pending()) > 0) await new Promise((resolve) => setImmediate(resolve));
}

const idOf = (session: Session) => session.account!.user!.id;
const search = (q: string) => client.listCoaches({ q, specialty: '', limit: 0, cursor: '' });
const logIn = (email: string) => client.logIn({ email, password: PASSWORD, device: undefined });
const decide = (userId: string, suspended: boolean, version: number) =>
  tell(userSuspensionTopic, { userId, suspended, version });

it('answers the directory and the specialties to visitors', async () => {
  const coach = await client.signUp(
    aSignUp({ name: 'Ángela Ruiz', isCoach: true, specialties: ['Escalada'] }),
  );
  const page = await search('angela');
  expect(page).toEqual({ items: [coach.account!.user], nextCursor: '' });
  expect((await client.listSpecialties({})).specialties).toEqual(
    expect.arrayContaining(['Escalada', 'HIIT']),
  );
});

it("hides by social's blocks, for a request that names the block already at once", async () => {
  const coach = await client.signUp(aSignUp({ name: 'Blanca Blocked', isCoach: true }));
  const member = await client.signUp(aSignUp());
  const found = async (after: WriteMark[] = []) =>
    (await as(member, () => search('blanca'), after)).items.length;
  expect(await found()).toBe(1);
  const block = eventOf(blockTopic, {
    blockerId: idOf(coach),
    blockedId: idOf(member),
    version: 1,
    active: true,
  });
  const waiting = found([block]);
  await bus.publish([block]);
  expect(await waiting).toBe(0);
  expect((await search('blanca')).items).toHaveLength(1);
});

it('shows nobody to whom they have blocked, with social away too; the blocker still finds the blocked', async () => {
  const [blocker, blocked] = [await client.signUp(aSignUp()), await client.signUp(aSignUp())];
  const { id, username } = blocker.account!.user!;
  const block = { blockerId: id, blockedId: idOf(blocked) };
  const byId = (viewer: Session | null) => outcome(as(viewer, () => client.getUser({ id })));
  const byName = () => outcome(as(blocked, () => client.getUserByUsername({ username })));
  expect([await byId(blocked), await byName()]).toEqual(['resolved', 'resolved']);
  await tell(blockTopic, { ...block, version: 1, active: true });
  expect([await byId(blocked), await byName()]).toEqual(['not-found not-found', 'not-found not-found']);
  expect([await byId(blocker), await byId(null)]).toEqual(['resolved', 'resolved']);
  const other = as(blocker, () => client.getUser({ id: idOf(blocked) }));
  expect(await outcome(other)).toBe('resolved');
  await tell(blockTopic, { ...block, version: 2, active: false });
  expect(await byId(blocked)).toBe('resolved');
});

it('suspends an account: no sessions, no sign-in, nowhere listed; and takes it back', async () => {
  const request = aSignUp({ name: 'Sergio Suspended', isCoach: true });
  const session = await client.signUp(request);
  const id = idOf(session);
  const other = await logIn(request.email);
  await decide(id, true, 10);

  expect((await search('sergio')).items).toEqual([]);
  expect(await outcome(client.getUser({ id }))).toBe('not-found not-found');
  expect(await outcome(logIn(request.email))).toBe('permission-denied user-disabled');
  expect(await outcome(as(session, () => client.getMe({})))).toBe('unauthenticated user-token-expired');
  for (const { refreshToken } of [session, other]) {
    const refreshed = client.refreshSession({ refreshToken, device: undefined });
    expect(await outcome(refreshed)).toBe('unauthenticated user-token-expired');
  }
  const { rows } = await pool.query('SELECT id, end_reason FROM sessions WHERE user_id = $1', [id]);
  expect(rows.map(({ end_reason }) => end_reason)).toEqual(['suspended', 'suspended']);
  const { sessions: ended } = await client.listEndedSessions({});
  expect(ended.map((one) => one.id)).toEqual(expect.arrayContaining(rows.map((row) => row.id)));
  await drain();
  const told = () => published.filter((user) => user.id === id).map(({ status }) => status);
  expect(told().at(-1)).toBe(UserStatus.USER_STATUS_SUSPENDED);

  // Late and repeated decisions change nothing, a newer one does.
  for (const version of [9, 10]) await decide(id, version === 9 ? false : true, version);
  expect(await outcome(logIn(request.email))).toBe('permission-denied user-disabled');
  await decide(id, false, 11);
  expect(await outcome(logIn(request.email))).toBe('resolved');
  expect((await search('sergio')).items).toHaveLength(1);
  await drain();
  expect(told().at(-1)).toBe(UserStatus.USER_STATUS_ACTIVE);
  const versions = published.filter((user) => user.id === id).map(({ version }) => version);
  expect(new Set(versions).size).toBe(3);
});

it('leaves a deleted account deleted and an unknown one alone', async () => {
  const session = await client.signUp(aSignUp());
  const id = idOf(session);
  await pool.query("UPDATE users SET status = 'deleted' WHERE id = $1", [id]);
  await decide(id, true, 1);
  await decide(id, false, 2);
  await decide('019a0000-0000-7000-8000-00000000dead', true, 1);
  const { rows } = await pool.query('SELECT status FROM users WHERE id = $1', [id]);
  expect(rows).toEqual([{ status: 'deleted' }]);
});

it('leaves no session alive when sign-ins race a suspension', async () => {
  const request = aSignUp();
  const session = await client.signUp(request);
  const id = idOf(session);
  const attempts = Array.from({ length: 6 }, () => outcome(logIn(request.email)));
  await Promise.race(attempts);
  await decide(id, true, 1);
  for (const answer of await Promise.all(attempts)) {
    expect(['resolved', 'permission-denied user-disabled']).toContain(answer);
  }
  const { rows } = await pool.query('SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL', [id]);
  expect(rows).toEqual([]);
});
