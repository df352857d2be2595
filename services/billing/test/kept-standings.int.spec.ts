import { jest } from '@jest/globals';
import type { UserState } from '@pulso/contracts/identity/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { BlockState } from '@pulso/contracts/social/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic } from '@pulso/contracts/topics/social';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import { DirectBus } from '@pulso/platform/testing/direct-bus';
import { PublishedUsers } from '@pulso/platform/testing/published-users';
import { type Replica, TestService } from '@pulso/platform/testing/test-service';
import { namesDuring } from '@pulso/platform/testing/transactions';
import { until } from '@pulso/platform/testing/until';
import { RecountSubscribers } from '../src/operator/recount-subscribers.js';
import { billing as definition } from '../src/service.js';
import { BillingRows } from '../src/store/billing-rows.js';
import type { BillingClient } from './start.js';

const contract = rpcContracts.billing;
type Definition = (typeof contract)['definition'];

describe('the kept standings of billing', () => {
  let service: TestService<Definition, DirectBus>;
  let other: Replica<Definition>;
  let users: PublishedUsers;
  beforeAll(async () => {
    service = await TestService.start(definition, contract, { bus: new DirectBus() });
    other = await service.startReplica();
    users = new PublishedUsers(service.clock);
  });
  afterAll(async () => {
    await other?.stop();
    await service?.stop();
  });
  afterEach(() => jest.restoreAllMocks());

  const person = async (fields: Partial<UserState> = {}) => {
    const state = users.first(fields);
    await service.tell(userTopic, state);
    return state.id;
  };
  const coach = () => person({ isCoach: true });
  const as = async <T>(
    user: string | null,
    call: (client: BillingClient) => Promise<T>,
    after: ConsistencyToken[] = [],
  ) => {
    const wrote: ConsistencyToken[] = [];
    return { answer: await service.as(user, call, { wrote, after }), wrote };
  };
  const standings = async (
    viewer: string | null,
    userIds: string[],
    { by = service.client as BillingClient, after = [] as ConsistencyToken[] } = {},
  ) => (await as(viewer, () => by.getStandings({ userIds }), after)).answer.standings;
  const standing = async (viewer: string | null, user: string, how?: Parameters<typeof standings>[2]) => {
    const { subscriberCount, subscribed } = (await standings(viewer, [user], how))[0]!;
    return [subscriberCount, subscribed];
  };
  const subscribe = (user: string, coachId: string) =>
    as(user, (client) =>
      client.subscribe({
        coachId,
        idempotency: { key: '', scope: `PUT ${coachId}`, bodyHash: 'hash' },
      }),
    );
  const cancel = (user: string, coachId: string) =>
    as(user, (client) => client.cancelSubscription({ coachId }));
  const asked = async (read: () => Promise<unknown>) =>
    (await namesDuring(read)).filter((name) => name.startsWith('coach-figures.'));

  it('cost one statement for many coaches, and none the second time', async () => {
    const [viewer, ...many] = await Promise.all([person(), coach(), coach(), person()]);
    service.get(BillingRows).allChanged();
    const read = () => standings(viewer!, many);
    expect(await asked(read)).toEqual(['coach-figures.among']);
    expect(await asked(read)).toEqual([]);
    expect(await asked(() => standings(null, many))).toEqual(['coach-figures.among']);
  });

  it('are read anew after each change, of the coach concerned alone', async () => {
    const [ana, ben, tina, tom] = [await person(), await person(), await coach(), await coach()];
    for (const viewer of [ana, ben]) await standings(viewer, [tina, tom]);
    await subscribe(ana, tina);
    expect([await standing(ana, tina), await standing(ben, tina)]).toEqual([
      [1, true],
      [1, false],
    ]);
    expect(await asked(() => standing(ben, tom))).toEqual([]);
    await cancel(ana, tina);
    expect([await standing(ana, tina), await standing(ben, tina)]).toEqual([
      [0, false],
      [0, false],
    ]);
  });

  // Rule: SUBS-12
  it('end with a block, from the moment at which billing hears of it', async () => {
    const [ana, tina] = [await person(), await coach()];
    await subscribe(ana, tina);
    expect(await standing(ana, tina)).toEqual([1, true]);
    const state = BlockState.fromPartial({ blockerId: tina, blockedId: ana, active: true, version: 1 });
    await service.tell(blockTopic, state);
    expect(await standing(ana, tina)).toEqual([0, false]);
  });

  it('end with the access, by the time alone', async () => {
    const [ana, tina] = [await person(), await coach()];
    await subscribe(ana, tina);
    const end = service.clock.now() + 60_000;
    await service.tamper('UPDATE subscriptions SET access_until = $3 WHERE user_id = $1 AND coach_id = $2', [
      ana,
      tina,
      new Date(end),
    ]);
    expect(await standing(ana, tina)).toEqual([1, true]);
    service.clock.advance(59_999);
    expect([await asked(() => standing(ana, tina)), await standing(ana, tina)]).toEqual([[], [1, true]]);
    service.clock.advance(1);
    expect(await standing(ana, tina)).toEqual([0, false]);
  });

  // Rule: HTTP-3
  it('show a user their own changes at every replica, also where no signal comes', async () => {
    jest.spyOn(InProcessSignals.prototype, 'send').mockImplementation(() => undefined);
    const [ana, tina] = [await person(), await coach()];
    const there = (after: ConsistencyToken[] = []) => standing(ana, tina, { by: other.client, after });
    expect(await there()).toEqual([0, false]);
    expect(await there((await subscribe(ana, tina)).wrote)).toEqual([1, true]);
    expect(await there((await cancel(ana, tina)).wrote)).toEqual([0, false]);
  });

  it('are read anew by other replicas once they hear of a change', async () => {
    const [ana, tina] = [await person(), await coach()];
    const there = () => standing(null, tina, { by: other.client });
    expect(await there()).toEqual([0, false]);
    await subscribe(ana, tina);
    await until(async () => (await there())[0] === 1, { what: 'the other replica’s hearing' });
  });

  it('are corrected by a recount', async () => {
    const tina = await coach();
    await service.tamper('INSERT INTO coach_counts VALUES ($1, 7, 7)', [tina]);
    expect(await standing(null, tina)).toEqual([7, false]);
    await service.get(RecountSubscribers).execute({ by: 'an operator', apply: true });
    expect(await standing(null, tina)).toEqual([0, false]);
  });
});
