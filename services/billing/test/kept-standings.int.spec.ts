import { rpcContracts } from '@pulso/contracts/rpc';
import { BlockState } from '@pulso/contracts/social/v1/events';
import { blockTopic } from '@pulso/contracts/topics/social';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { TestService } from '@pulso/platform/testing/test-service';
import { until } from '@pulso/platform/testing/until';
import { type Reading, withReplica } from '@pulso/platform/testing/with-replica';
import { RecountSubscribers } from '../src/operator/recount-subscribers.js';
import { billing as definition } from '../src/service.js';
import { BillingRows } from '../src/store/billing-rows.js';

describe('the kept standings of billing', () => {
  const replicated = withReplica((bus) => TestService.start(definition, rpcContracts.billing, { bus }));
  type How = Reading<(typeof rpcContracts.billing)['definition']>;

  const person = () => replicated.person();
  const coach = () => replicated.person({ isCoach: true });
  const standings = async (viewer: string | null, userIds: string[], how?: How) =>
    (await replicated.ask(viewer, (client) => client.getStandings({ userIds }), how)).standings;
  const standing = async (viewer: string | null, user: string, how?: How) => {
    const { subscriberCount, subscribed } = (await standings(viewer, [user], how))[0]!;
    return [subscriberCount, subscribed];
  };
  const there = (viewer: string | null, user: string, after: ConsistencyToken[] = []) =>
    standing(viewer, user, { by: replicated.other.client, after });
  const subscribe = (user: string, coachId: string) =>
    replicated.write(user, (client) =>
      client.subscribe({ coachId, idempotency: { key: '', scope: `PUT ${coachId}`, bodyHash: 'hash' } }),
    );
  const cancel = (user: string, coachId: string) =>
    replicated.write(user, (client) => client.cancelSubscription({ coachId }));
  const asked = (read: () => Promise<unknown>) => replicated.statements('coach-figures.', read);

  it('cost one statement for many coaches, and none the second time', async () => {
    const [viewer, ...many] = await Promise.all([person(), coach(), coach(), person()]);
    replicated.service.get(BillingRows).allChanged();
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
    await replicated.service.tell(blockTopic, state);
    expect(await standing(ana, tina)).toEqual([0, false]);
  });

  it('end with the access, by the time alone', async () => {
    const [ana, tina] = [await person(), await coach()];
    await subscribe(ana, tina);
    const end = replicated.service.clock.now() + 600;
    await replicated.service.tamper(
      'UPDATE subscriptions SET access_until = $3 WHERE user_id = $1 AND coach_id = $2',
      [ana, tina, new Date(end)],
    );
    expect(await standing(ana, tina)).toEqual([1, true]);
    replicated.service.clock.advance(599);
    expect([await asked(() => standing(ana, tina)), await standing(ana, tina)]).toEqual([[], [1, true]]);
    replicated.service.clock.advance(1);
    expect(await standing(ana, tina)).toEqual([0, false]);
  });

  // Rule: HTTP-3
  it('show a user their own changes at every replica, also where no signal comes', async () => {
    replicated.loseSignals();
    const [ana, tina] = [await person(), await coach()];
    expect(await there(ana, tina)).toEqual([0, false]);
    expect(await there(ana, tina, await subscribe(ana, tina))).toEqual([1, true]);
    expect(await there(ana, tina, await cancel(ana, tina))).toEqual([0, false]);
  });

  // Rule: HTTP-3
  it('are at most 1 s old for others, also where no signal comes', async () => {
    replicated.loseSignals();
    const [ana, tina] = [await person(), await coach()];
    expect(await there(null, tina)).toEqual([0, false]);
    await subscribe(ana, tina);
    replicated.service.clock.advance(999);
    expect(await asked(() => there(null, tina))).toEqual([]);
    replicated.service.clock.advance(1);
    expect(await there(null, tina)).toEqual([1, false]);
  });

  it('are read anew by other replicas once they hear of a change', async () => {
    const [ana, tina] = [await person(), await coach()];
    expect(await there(null, tina)).toEqual([0, false]);
    await subscribe(ana, tina);
    await until(async () => (await there(null, tina))[0] === 1, { what: 'the other replica’s hearing' });
  });

  it('are corrected by a recount', async () => {
    const tina = await coach();
    await replicated.service.tamper('INSERT INTO coach_counts VALUES ($1, 7, 7)', [tina]);
    expect(await standing(null, tina)).toEqual([7, false]);
    await replicated.service.get(RecountSubscribers).execute({ by: 'an operator', apply: true });
    expect(await standing(null, tina)).toEqual([0, false]);
  });
});
