import { jest } from '@jest/globals';
import { UserState } from '@pulso/contracts/identity/v1/events';
import {
  billingErasureTopic,
  paymentNoticeTopic,
  priceTopic,
  subscriptionTopic,
} from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { Writes } from '@pulso/platform/postgres/writes';
import { readStoreTarget } from '@pulso/platform/service/service-settings';
import { Signals } from '@pulso/platform/signals/signals';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { Registry } from 'prom-client';
import { KnownUsers } from '../src/projections/known-users.js';
import { billing as definition } from '../src/service.js';
import { PaymentNoticeRepository } from '../src/store/payment-notice.repository.js';
import { ACTIVE, Billing, Dice } from './start.js';

let billing: Billing;
beforeAll(async () => (billing = await Billing.start()));
afterAll(() => billing?.stop());

const OWN = [subscriptionTopic, priceTopic, paymentNoticeTopic, billingErasureTopic];
const NOUNS = ['subscription', 'price', 'payment-notice', 'erasure'];

it('publishes its states again, including ended ones', async () => {
  const [ana, ben, coach] = [await billing.person(), await billing.person(), await billing.coach()];
  await billing.subscribe(ana, coach);
  await billing.subscribe(ben, coach);
  await billing.cancel(ben, coach);
  await billing.intent(coach, 1, 40_000);
  const ids = { userId: ana.id, coachId: coach.id, providerSubscriptionId: 'sub_1' };
  const money = { amountMinor: 40_000, currency: 'MXN', until: billing.clock.now() };
  await billing.service
    .get(Writes)
    .run((transaction) =>
      billing.service
        .get(PaymentNoticeRepository)
        .add([{ ...ids, ...money, kind: 'renewed', cause: 'in_1' }], transaction),
    );
  await billing.service.drainEvents();
  const before = new Map(OWN.map(({ name }) => [name, new Map(billing.service.delivered.get(name))]));
  expect([...before.values()].map(({ size }) => size)).toEqual([2, 1, 1, 0]);

  for (const states of billing.service.delivered.values()) states.clear();
  for (const noun of NOUNS) await billing.service.running.republish(noun);
  await billing.service.drainEvents();
  for (const { name } of OWN) expect(billing.service.delivered.get(name)).toEqual(before.get(name));
  await expect(billing.service.running.republish('user')).rejects.toThrow(
    `billing owns ${NOUNS.join(', ')}, and no user`,
  );
});

it('keeps the newest state of a user, for repeated events in any order', async () => {
  const [ana, coach] = [await billing.person(), await billing.coach()];
  await billing.subscribe(ana, coach);
  const states = Array.from({ length: 20 }, (_, index) =>
    UserState.fromPartial({ id: ana.id, version: 100 + index, status: ACTIVE, name: `Name ${index}` }),
  );
  const shuffled = new Dice(9).shuffled([...states, ...states]);
  await Promise.all(shuffled.map((state) => billing.service.tell(userTopic, state)));
  const { items } = await billing.subscribers(coach);
  expect(items.map(({ user }) => user!.name)).toEqual(['Name 19']);
});

it('delivers events committed while no relay was running', async () => {
  const [ana, coach] = [await billing.person(), await billing.coach()];
  const { bus, running } = billing.service;
  // The writes' answers would wait for a delivery that nothing makes.
  const delivered = jest.spyOn(bus, 'delivered').mockResolvedValue(false);
  onTestEnd(
    () => running.relay.start(),
    () => delivered.mockRestore(),
  );
  await running.relay.stop();
  await billing.subscribe(ana, coach);
  await billing.cancel(ana, coach);
  await billing.subscribe(ana, coach);
  expect(billing.published(ana, coach)).toBeUndefined();
  running.relay.start();
  await billing.service.drainEvents();
  expect(billing.published(ana, coach)).toMatchObject({ active: true });
});

// Rule: NOTIF-11
it('signals a change of a subscription after its commit, and no repetition', async () => {
  const [ana, coach] = [await billing.person(), await billing.coach()];
  const heard: string[] = [];
  const channel = `subscription:${ana.id}:${coach.id}`;
  const hear = (told: string) => void (told === channel && heard.push(told));
  onTestEnd(billing.service.get(Signals).listen({ heard: hear }));
  await billing.subscribe(ana, coach);
  await billing.subscribe(ana, coach);
  expect(heard).toEqual([channel]);
  await billing.change(coach, { isCoach: false });
  expect(heard).toEqual([channel, channel]);
});

// Rule: HTTP-33
it('tells with a new subscription what other services are to know of it, and with an old one nothing', async () => {
  const [ana, coach] = [await billing.person(), await billing.coach()];
  const written: ConsistencyToken[] = [];
  const idempotency = { key: '', scope: `PUT ${coach.id}`, bodyHash: 'hash' };
  await billing.as(ana, (client) => client.subscribe({ coachId: coach.id, idempotency }), written);
  const [token] = written;
  expect(written).toEqual([expect.objectContaining({ topic: subscriptionTopic.name })]);
  const told = async (): Promise<ConsistencyToken[][]> => {
    const [own, asCoach]: ConsistencyToken[][] = [[], []];
    await billing.as(ana, (client) => client.getSubscription({ coachId: coach.id }), own);
    await billing.as(coach, (client) => client.listSubscribers({ limit: 0, cursor: '' }), asCoach);
    return [own!, asCoach!];
  };
  expect(await told()).toEqual([[token], [token]]);
  billing.clock.advance(60_001);
  expect(await told()).toEqual([[], []]);
});

// Rule: NOTIF-11
it('signals to the coach who begins and ends, once for all that end together, and no subscription that never began', async () => {
  const [ana, ben, coach] = [await billing.person(), await billing.person(), await billing.coach()];
  let heard = 0;
  const channel = `subscribers:${coach.id}`;
  onTestEnd(
    billing.service.get(Signals).listen({ heard: (told) => void (told === channel && (heard += 1)) }),
  );
  // Signals come in the order in which they are sent.
  const isHeard = (count: number) => until(() => heard === count, { what: `${count} signals to the coach` });
  await billing.cancel(ana, coach);
  await billing.subscribe(ana, coach);
  await isHeard(1);
  await billing.subscribe(ana, coach);
  await billing.subscribe(ben, coach);
  await isHeard(2);
  await billing.change(coach, { isCoach: false });
  await isHeard(3);
});

it('counts what has begun and ended, by reason, and the endings that wait', async () => {
  const [ana, ben, coach] = [await billing.person(), await billing.person(), await billing.coach()];
  const registry = billing.service.get(Registry);
  const valueOf = async (name: string, reason?: string) => {
    const { values } = await registry.getSingleMetric(`pulso_billing_${name}`)!.get();
    return values.find(({ labels }) => reason === undefined || labels['reason'] === reason)?.value ?? 0;
  };
  const [begun, cancelled, stopped] = [
    await valueOf('subscriptions_begun_total'),
    await valueOf('subscriptions_ended_total', 'cancelled'),
    await valueOf('subscriptions_ended_total', 'coach-stopped'),
  ];
  await billing.subscribe(ana, coach);
  await billing.subscribe(ana, coach);
  await billing.subscribe(ben, coach);
  await billing.cancel(ben, coach);
  await billing.change(coach, { isCoach: false });
  expect(await valueOf('subscriptions_begun_total')).toBe(begun + 2);
  expect(await valueOf('subscriptions_ended_total', 'cancelled')).toBe(cancelled + 1);
  expect(await valueOf('subscriptions_ended_total', 'coach-stopped')).toBe(stopped + 1);
  expect(await valueOf('endings_waiting')).toBe(0);
});

it('migrates a migrated database without change, and passes its health check', async () => {
  await definition.store.migrate(readStoreTarget(definition, billing.service.env));
  await expect(billing.service.running.checks['store']!()).resolves.toBeUndefined();
});

it('asks the store for no version of a state that its projection has taken, and for one that it has not', async () => {
  const ana = await billing.person();
  const token = { topic: userTopic.name, key: ana.id, version: billing.users.next(ana, {}).version - 1 };
  const asked = jest.spyOn(billing.service.get(KnownUsers), 'versionOf');
  onTestEnd(() => asked.mockRestore());
  const list = (after: ConsistencyToken[]) =>
    billing.service.as(ana.id, (client) => client.listSubscriptions({ all: true, limit: 20, cursor: '' }), {
      after,
    });
  await list([token]);
  expect(asked).not.toHaveBeenCalled();
  await list([{ ...token, version: token.version + 1_000_000 }]);
  expect(asked).toHaveBeenCalledWith(ana.id);
});
