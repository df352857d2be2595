import { CoachOrder, type Session } from '@pulso/contracts/identity/v1/identity';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { type ConsistencyToken, runInContext } from '@pulso/platform/context/request-context';
import { eventOf } from '@pulso/platform/events/event-record';
import { republish } from '@pulso/platform/events/republish';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { aContext } from '@pulso/platform/testing/context';
import { outcome } from '@pulso/platform/testing/outcomes';
import { TestService } from '@pulso/platform/testing/test-service';
import { KnownSuspensions } from '../src/projections/known-suspensions.js';
import { identity as definition } from '../src/service.js';
import { UserRepository } from '../src/store/user.repository.js';
import { aSignUp, PASSWORD } from './start.js';

type IdentityDefinition = (typeof rpcContracts.identity)['definition'];

let identity: TestService<IdentityDefinition>;
let client: TestService<IdentityDefinition>['client'];

beforeAll(async () => {
  identity = await TestService.start(definition, rpcContracts.identity);
  ({ client } = identity);
});
afterAll(() => identity?.stop());

function as<T>(session: Session | null, call: () => Promise<T>, after: ConsistencyToken[] = []): Promise<T> {
  const authorization = session ? `Bearer ${session.accessToken}` : undefined;
  const deadline = identity.clock.now() + 60_000;
  return runInContext(aContext({ authorization, deadline, after }), call);
}

const statusOf = (id: string) => identity.deliveredState(userTopic, id)?.status;
const idOf = (session: Session) => session.account!.user!.id;
const search = (q: string) =>
  client.listCoaches({ q, specialty: '', limit: 0, cursor: '', order: CoachOrder.COACH_ORDER_UNSPECIFIED });
const logIn = (email: string) => client.logIn({ email, password: PASSWORD, device: undefined });
const decide = (userId: string, suspended: boolean, version: number) =>
  identity.tell(userSuspensionTopic, { userId, suspended, version, reason: 'spam', decidedAt: 0 });

it('serves the directory and the specialties to visitors', async () => {
  const coach = await client.signUp(
    aSignUp({ name: 'Ángela Ruiz', isCoach: true, specialties: ['Escalada'] }),
  );
  const page = await search('angela');
  expect(page).toEqual({ items: [coach.account!.user], nextCursor: '' });
  expect((await client.listSpecialties({})).specialties).toEqual(
    expect.arrayContaining(['Escalada', 'HIIT']),
  );
});

it("applies social's blocks, immediately for a request with the block's consistency token", async () => {
  const coach = await client.signUp(aSignUp({ name: 'Blanca Blocked', isCoach: true }));
  const member = await client.signUp(aSignUp());
  const found = async (after: ConsistencyToken[] = []) =>
    (await as(member, () => search('blanca'), after)).items.length;
  expect(await found()).toBe(1);
  const block = eventOf(blockTopic, {
    blockerId: idOf(coach),
    blockedId: idOf(member),
    version: 1,
    active: true,
  });
  const waiting = found([block]);
  await identity.bus.publish([block]);
  expect(await waiting).toBe(0);
  expect((await search('blanca')).items).toHaveLength(1);
});

it('hides a user from those they have blocked, even with social down; the blocker still finds the blocked', async () => {
  const [blocker, blocked] = [await client.signUp(aSignUp()), await client.signUp(aSignUp())];
  const { id, username } = blocker.account!.user!;
  const block = { blockerId: id, blockedId: idOf(blocked) };
  const byId = (viewer: Session | null) => outcome(as(viewer, () => client.getUser({ id })));
  const byName = () => outcome(as(blocked, () => client.getUserByUsername({ username })));
  expect([await byId(blocked), await byName()]).toEqual(['resolved', 'resolved']);
  await identity.tell(blockTopic, { ...block, version: 1, active: true });
  expect([await byId(blocked), await byName()]).toEqual(['not-found not-found', 'not-found not-found']);
  expect([await byId(blocker), await byId(null)]).toEqual(['resolved', 'resolved']);
  const other = as(blocker, () => client.getUser({ id: idOf(blocked) }));
  expect(await outcome(other)).toBe('resolved');
  await identity.tell(blockTopic, { ...block, version: 2, active: false });
  expect(await byId(blocked)).toBe('resolved');
});

// Rule: ACCT-31
it('suspends an account (no sessions, no sign-in, not listed) and reinstates it', async () => {
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
  const rows = await identity.rows<Record<string, string>>(
    'SELECT id, end_reason FROM sessions WHERE user_id = $1',
    [id],
  );
  expect(rows.map(({ end_reason }) => end_reason)).toEqual(['suspended', 'suspended']);
  const { sessions: ended } = await client.listEndedSessions({ afterEndedAt: 0, afterId: '' });
  expect(ended.map((one) => one.id)).toEqual(expect.arrayContaining(rows.map((row) => row.id)));
  await identity.drainEvents();
  expect(statusOf(id)).toBe(UserStatus.USER_STATUS_SUSPENDED);
  const suspended = identity.deliveredState(userTopic, id)!.version;

  // A late or repeated decision changes nothing; a newer one does.
  for (const version of [9, 10]) await decide(id, version === 9 ? false : true, version);
  expect(await outcome(logIn(request.email))).toBe('permission-denied user-disabled');
  await decide(id, false, 11);
  expect(await outcome(logIn(request.email))).toBe('resolved');
  expect((await search('sergio')).items).toHaveLength(1);
  await identity.drainEvents();
  expect(statusOf(id)).toBe(UserStatus.USER_STATUS_ACTIVE);
  // One state for the second decision, none for the late and repeated ones.
  expect(identity.deliveredState(userTopic, id)!.version).toBe(suspended + 1);
});

// Rule: ACCT-31
// Rule: HTTP-30
it('tells the version of every account to everybody, and of no other id', async () => {
  const [coach, blocked] = [await client.signUp(aSignUp()), await client.signUp(aSignUp())];
  const id = idOf(coach);
  await identity.tell(blockTopic, { blockerId: id, blockedId: idOf(blocked), active: true, version: 1 });
  const { version } = await as(blocked, () => client.getUserVersion({ id }));
  expect(version).toBe(identity.deliveredState(userTopic, id)!.version);
  await decide(id, true, 1);
  await identity.drainEvents();
  const after = (await client.getUserVersion({ id })).version;
  expect(after).toBe(identity.deliveredState(userTopic, id)!.version);
  expect(after).toBeGreaterThan(version);
  for (const unknown of [newIdAt(identity.clock.now()), 'nonsense']) {
    expect(await outcome(client.getUserVersion({ id: unknown }))).toBe('not-found not-found');
  }
});

it('keeps a deleted account deleted and ignores an unknown one', async () => {
  const session = await client.signUp(aSignUp());
  const id = idOf(session);
  await identity.rows("UPDATE users SET status = 'deleted' WHERE id = $1", [id]);
  await decide(id, true, 1);
  await decide(id, false, 2);
  await decide('019a0000-0000-7000-8000-00000000dead', true, 1);
  const rows = await identity.rows<Record<string, string>>('SELECT status FROM users WHERE id = $1', [id]);
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
  const rows = await identity.rows<Record<string, string>>(
    'SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL',
    [id],
  );
  expect(rows).toEqual([]);
});

it('is corrected by a republication of blocks and decisions, including accounts', async () => {
  const [one, other] = [await client.signUp(aSignUp()), await client.signUp(aSignUp())];
  const [ada, bob] = [idOf(one), idOf(other)];
  const wrong = '019a0000-0000-7000-8000-00000000beef';
  await decide(ada, true, 5);
  await identity.drainEvents();
  expect(statusOf(ada)).toBe(UserStatus.USER_STATUS_SUSPENDED);
  // Bob was never suspended, and the decision about Ada was a different one.
  await identity.rows("UPDATE users SET status = 'suspended' WHERE id = $1", [bob]);
  await identity.rows('INSERT INTO known_suspensions VALUES ($1, true, 9)', [bob]);
  await identity.rows('INSERT INTO known_blocks VALUES ($1, $2, true, 9)', [bob, wrong]);
  await identity.rows(
    "UPDATE known_suspensions SET version = 9, changed_at = '-infinity' WHERE user_id = $1",
    [ada],
  );
  async function* decisions() {
    yield { userId: ada, suspended: false, version: 8, reason: 'spam', decidedAt: 0 };
  }
  async function* blocks() {
    yield { blockerId: ada, blockedId: bob, active: true, version: 3 };
  }
  await republish({ topic: userSuspensionTopic, states: decisions(), bus: identity.bus });
  await republish({ topic: blockTopic, states: blocks(), bus: identity.bus });
  await identity.drainEvents();
  expect([statusOf(ada), statusOf(bob)]).toEqual([
    UserStatus.USER_STATUS_ACTIVE,
    UserStatus.USER_STATUS_ACTIVE,
  ]);
  expect(await outcome(as(other, () => client.getUser({ id: ada })))).toBe('not-found not-found');
  const held = await identity.rows(
    'SELECT user_id, suspended FROM known_suspensions WHERE user_id = ANY($1)',
    [[ada, bob]],
  );
  expect(held).toEqual([{ user_id: ada, suspended: false }]);
  expect(await identity.rows('SELECT FROM known_blocks WHERE blocked_id = $1', [wrong])).toEqual([]);
});

it('keeps an account suspended when an old republication without the decision is read again', async () => {
  const id = idOf(await client.signUp(aSignUp()));
  await decide(id, true, 5);
  await identity.drainEvents();
  await identity.rows("UPDATE known_suspensions SET changed_at = '-infinity' WHERE user_id = $1", [id]);
  const projection = identity.get(KnownSuspensions);
  const marker = { run: newIdAt(Date.now() - 2 * 60 * 60_000), partition: 0, partitions: 1 };
  await projection.republishStarted(marker);
  await projection.republishEnded({ ...marker, states: 0 });
  await identity.drainEvents();
  expect(statusOf(id)).toBe(UserStatus.USER_STATUS_SUSPENDED);
});

it('refuses a write to a user that publishes no event', async () => {
  const id = idOf(await client.signUp(aSignUp()));
  const forgetful = identity.get(Writes).run(async (transaction) => {
    const users = identity.get(UserRepository);
    const user = (await users.lockById(id, transaction))!;
    await users.save({ ...user, name: 'Untold', version: user.version + 1 }, transaction);
  });
  expect(await outcome(forgetful)).toMatch(/was written without Transaction.publish/);
  expect((await client.getUser({ id })).name).not.toBe('Untold');
});
