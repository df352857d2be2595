import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { Registry } from 'prom-client';
import { HandleProviderEvents } from '../src/provider-events/handle-provider-events.js';
import { Inbox } from '../src/inbox/inbox.js';
import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { type Billing, outcome, type Person } from './start.js';

const DAY_MS = 24 * 60 * 60_000;
const { SUBSCRIPTION_STATUS_ACTIVE, SUBSCRIPTION_STATUS_CANCELLED, SUBSCRIPTION_STATUS_PAST_DUE } =
  SubscriptionStatus;

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

const accessOf = async (user: Person, coach: Person) => (await billing.get(user, coach)).givesAccess;
const oldestSeconds = async () => {
  const metric = billing.service
    .get(Registry)
    .getSingleMetric('pulso_billing_provider_events_oldest_seconds')!;
  return (await metric.get()).values[0]!.value;
};
const publishedOf = (user: Person, coach: Person) => billing.published(user, coach)?.active ?? false;

// Rule: SUBS-17
describe('an event of the provider', () => {
  it('is refused without the right signature, and stored once', async () => {
    const [ana, coach] = [await billing.person(), await billing.coach()];
    provider.subscribe(await payments.customer(ana), coach.id);
    const [event] = provider.takeEvents();
    const { body, signature } = provider.signed(event!);
    const take = (given: string) =>
      billing.as(null, (client) => client.takeProviderEvent({ body, signature: given }));
    expect(await outcome(take('wrong'))).toBe('invalid-argument malformed-request');
    expect(await billing.service.get(Inbox).find(event!.id)).toBeUndefined();
    await take(signature);
    await take(signature);
    expect(await billing.rows('SELECT id FROM provider_events WHERE id = $1', [event!.id])).toHaveLength(1);
    await payments.settle();
    expect([await accessOf(ana, coach), publishedOf(ana, coach)]).toEqual([true, true]);
    expect(await billing.standing(ana, coach)).toEqual([1, true]);
  });

  it('of a customer who is not Pulso’s changes nothing', async () => {
    const [ana, coach] = [await billing.person(), await billing.coach()];
    provider.subscribe(provider.customer(ana.id, 'MXN'), coach.id);
    await payments.tellAll();
    expect(await outcome(billing.get(ana, coach))).toBe('not-found not-found');
  });

  it('that cannot be handled waits with its reason, and is handled when the provider answers again', async () => {
    const [ana, coach] = [await billing.person(), await billing.coach()];
    provider.subscribe(await payments.customer(ana), coach.id);
    const [event] = provider.takeEvents();
    provider.failNext('subscriptionsOf', 'unknown', 2);
    await payments.take([event!]);
    const worker = billing.service.get(HandleProviderEvents);
    await worker.execute();
    const entry = await billing.service.get(Inbox).find(event!.id);
    expect(entry).toMatchObject({
      attempts: 1,
      handledAt: null,
      failure: expect.stringContaining('subscriptionsOf'),
    });
    expect(entry!.dueAt).toBeGreaterThan(billing.clock.now());
    billing.clock.advance(60_000);
    expect(await oldestSeconds()).toBe(60);
    billing.clock.advance(-60_000);
    // Not before it is due.
    await worker.execute();
    expect((await billing.service.get(Inbox).find(event!.id))!.attempts).toBe(1);
    await payments.settle();
    expect(await accessOf(ana, coach)).toBe(true);
    expect((await billing.service.get(Inbox).find(event!.id))!.failure).toBeNull();
    expect(await oldestSeconds()).toBe(0);
  });

  it('about an account makes it ready to be paid', async () => {
    const coach = await billing.coach();
    provider.onboard('acct_events', false);
    await billing.rows(
      "INSERT INTO payout_accounts (coach_id, account_id, is_ready, created_at, read_at) VALUES ($1, 'acct_events', false, $2, $2)",
      [coach.id, new Date(billing.clock.now())],
    );
    const isReady = async () =>
      (
        await billing.rows<{ is_ready: boolean }>(
          'SELECT is_ready FROM payout_accounts WHERE coach_id = $1',
          [coach.id],
        )
      )[0]!.is_ready;
    provider.takeEvents();
    provider.onboard('acct_events');
    await payments.tellAll();
    expect(await isReady()).toBe(true);
  });

  it('is removed 90 days after it came, if it was handled', async () => {
    await payments.couple();
    const ids = async () => billing.rows<{ id: string }>('SELECT id FROM provider_events ORDER BY id');
    const all = await ids();
    await billing.rows('UPDATE provider_events SET handled_at = NULL WHERE id = $1', [all[0]!.id]);
    const inbox = billing.service.get(Inbox);
    billing.clock.advance(90 * DAY_MS - 1);
    await inbox.purge(new AbortController().signal);
    expect(await ids()).toEqual(all);
    billing.clock.advance(100 * DAY_MS);
    await inbox.purge(new AbortController().signal);
    expect(await ids()).toEqual([all[0]]);
    await billing.rows('DELETE FROM provider_events');
  });
});

// Rule: SUBS-9, SUBS-17
describe('the life of a paid subscription', () => {
  it('is renewed, falls behind for 7 days, and is paid after all', async () => {
    const { ana, coach, customer, paid } = await payments.couple();
    const first = await billing.get(ana, coach);
    expect(first).toMatchObject({
      status: SUBSCRIPTION_STATUS_ACTIVE,
      paid: { amountMinor: 40_000, currency: 'MXN' },
    });
    provider.setCard(customer, false);
    billing.clock.advance(MONTH_MS + DAY_MS);
    provider.turn();
    await payments.tellAll();
    const due = first.currentPeriodEnd!;
    expect(await billing.get(ana, coach)).toMatchObject({
      ...{ status: SUBSCRIPTION_STATUS_PAST_DUE, accessUntil: due + 7 * DAY_MS, givesAccess: true },
    });
    provider.setCard(customer, true);
    expect(provider.retryPayment(paid)).toBe(true);
    await payments.tellAll();
    const { status, accessUntil, startDate } = await billing.get(ana, coach);
    expect([status, accessUntil, startDate]).toEqual([
      SUBSCRIPTION_STATUS_ACTIVE,
      undefined,
      first.startDate,
    ]);
  });

  it('ends after 7 days without payment, here and at the provider, which tries no more', async () => {
    const { ana, coach, customer, paid } = await payments.couple();
    provider.setCard(customer, false);
    billing.clock.advance(MONTH_MS);
    provider.turn();
    await payments.tellAll();
    billing.clock.advance(7 * DAY_MS);
    expect(await accessOf(ana, coach)).toBe(false);
    await payments.settle();
    expect(await billing.get(ana, coach)).toMatchObject({ status: SUBSCRIPTION_STATUS_CANCELLED });
    expect(provider.subscriptions.get(paid)!.status).toBe('cancelled');
    expect(await billing.standing(ana, coach)).toEqual([0, false]);
  });

  it('goes on when it was paid in the last moment, although nobody has told of it', async () => {
    const { ana, coach, customer, paid } = await payments.couple();
    provider.setCard(customer, false);
    billing.clock.advance(MONTH_MS);
    provider.turn();
    await payments.tellAll();
    provider.setCard(customer, true);
    billing.clock.advance(7 * DAY_MS - 1);
    provider.retryPayment(paid);
    provider.takeEvents();
    billing.clock.advance(1);
    await payments.settle();
    expect([await accessOf(ana, coach), provider.living({ userId: ana.id, coachId: coach.id })]).toEqual([
      true,
      [expect.objectContaining({ id: paid })],
    ]);
  });

  it('that was ended at the provider runs out what was paid', async () => {
    const { ana, coach, paid } = await payments.couple();
    provider.end(paid);
    await payments.tellAll();
    const { status, givesAccess, accessUntil } = await billing.get(ana, coach);
    expect([status, givesAccess]).toEqual([SUBSCRIPTION_STATUS_CANCELLED, true]);
    billing.clock.set(accessUntil!);
    await payments.settle();
    expect([await accessOf(ana, coach), publishedOf(ana, coach)]).toEqual([false, false]);
  });
});

// Rule: SUBS-11, SUBS-17
describe('a read of the provider', () => {
  const isEnding = async ({ ana, coach }: { ana: Person; coach: Person }) =>
    (await billing.get(ana, coach)).cancelAtPeriodEnd;

  it('that began before a newer one and ends after it changes nothing', async () => {
    const couple = await payments.couple();
    const held = provider.holdNext('subscriptionsOf');
    const older = payments.sync(couple.customer);
    await held.reached;
    provider.setEnding(couple.paid, true);
    await payments.tellAll();
    expect(await isEnding(couple)).toBe(true);
    const version = async () =>
      billing.rows('SELECT version FROM subscriptions WHERE user_id = $1', [couple.ana.id]);
    const before = await version();
    held.release();
    await older;
    expect([await isEnding(couple), await version()]).toEqual([true, before]);
  });

  it('does not undo a press that the provider has not heard of, or that came after its beginning', async () => {
    const couple = await payments.couple();
    const { ana, coach, customer, paid } = couple;
    const held = provider.holdNext('subscriptionsOf');
    const older = payments.sync(customer);
    await held.reached;
    const call = provider.holdNext('setCancelAtPeriodEnd');
    await billing.cancel(ana, coach);
    await call.reached;
    await payments.sync(customer);
    expect(await isEnding(couple)).toBe(true);
    call.release();
    await payments.settle();
    held.release();
    await older;
    expect([await isEnding(couple), provider.subscriptions.get(paid)!.cancelAtPeriodEnd]).toEqual([
      true,
      true,
    ]);
  });

  it('leaves the last word to the last press, although an older call for it is made later', async () => {
    const couple = await payments.couple();
    const { ana, coach, paid } = couple;
    provider.failNext('setCancelAtPeriodEnd', 'unknown');
    await billing.cancel(ana, coach);
    await billing.service.get(ForeignCalls).recover();
    await billing.subscribe(ana, coach);
    await billing.service.get(ForeignCalls).recover();
    await payments.settle();
    expect([await isEnding(couple), provider.subscriptions.get(paid)!.cancelAtPeriodEnd]).toEqual([
      false,
      false,
    ]);
  });
});
