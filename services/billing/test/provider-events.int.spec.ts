import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { HandleProviderEvents } from '../src/provider-events/handle-provider-events.js';
import { Inbox } from '../src/inbox/inbox.js';
import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { Billing, DELETED, outcome, type Person, SUSPENDED } from './start.js';

const DAY_MS = 24 * 60 * 60_000;
const { SUBSCRIPTION_STATUS_ACTIVE, SUBSCRIPTION_STATUS_CANCELLED, SUBSCRIPTION_STATUS_PAST_DUE } =
  SubscriptionStatus;

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => {
  ({ billing, provider } = await Billing.startPaid());
  payments = new Payments(billing, provider);
  await payments.stopWorkers();
});
afterAll(() => billing?.stop());

const accessOf = async (user: Person, coach: Person) => (await billing.get(user, coach)).givesAccess;
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
    // Not before it is due.
    await worker.execute();
    expect((await billing.service.get(Inbox).find(event!.id))!.attempts).toBe(1);
    await payments.settle();
    expect(await accessOf(ana, coach)).toBe(true);
    expect((await billing.service.get(Inbox).find(event!.id))!.failure).toBeNull();
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

// Rule: SUBS-10
describe('a second subscription', () => {
  it('is cancelled and the money returned, once, however often it is told', async () => {
    const { ana, coach, customer, paid } = await payments.couple();
    const second = provider.subscribe(customer, coach.id);
    const events = provider.takeEvents();
    await payments.take(events);
    await payments.settle();
    await Promise.all([payments.sync(customer), payments.sync(customer)]);
    await payments.tellAll();
    expect(provider.living({ userId: ana.id, coachId: coach.id }).map(({ id }) => id)).toEqual([paid]);
    expect(await payments.refunds(paid, second)).toEqual([
      { id: second, amount: 40_000, reason: 'second', state: 'paid' },
    ]);
    expect([provider.keptMinor(paid), provider.keptMinor(second)]).toEqual([40_000, 0]);
    expect(await accessOf(ana, coach)).toBe(true);
  });

  it('by the customer of the other currency is cancelled, too', async () => {
    const { ana, coach, paid } = await payments.couple();
    const second = provider.subscribe(await payments.customer(ana, 'USD'), coach.id);
    await payments.tellAll();
    expect(provider.living({ userId: ana.id, coachId: coach.id }).map(({ id }) => id)).toEqual([paid]);
    expect(provider.keptMinor(second)).toBe(0);
  });

  it('is cancelled although the answers of the provider are lost', async () => {
    const { ana, coach, customer, paid } = await payments.couple();
    const second = provider.subscribe(customer, coach.id);
    provider.failNext('cancelNow', 'after-effect');
    provider.failNext('refund', 'after-effect', 2);
    await payments.tellAll();
    expect(provider.living({ userId: ana.id, coachId: coach.id }).map(({ id }) => id)).toEqual([paid]);
    const { paymentId } = provider.subscriptions.get(second)!.latestPayment!;
    expect(provider.refunds.filter((refund) => refund.paymentId === paymentId)).toHaveLength(1);
    expect([provider.keptMinor(second), await payments.refunds(second)]).toEqual([
      0,
      [{ id: second, amount: 40_000, reason: 'second', state: 'paid' }],
    ]);
  });
});

// Rule: SUBS-12
describe('an ending of a paid subscription', () => {
  const half = async (end: (couple: { ana: Person; coach: Person }) => Promise<void>) => {
    const couple = await payments.couple();
    billing.clock.advance(MONTH_MS / 2);
    await end(couple);
    await payments.settle();
    const { ana, coach, paid } = couple;
    expect([await accessOf(ana, coach), publishedOf(ana, coach)]).toEqual([false, false]);
    expect(provider.living({ userId: ana.id, coachId: coach.id })).toEqual([]);
    return { kept: provider.keptMinor(paid), refunds: await payments.refunds(paid) };
  };

  it.each([
    ['suspended', { status: SUSPENDED }, 'coach-suspended'],
    ['deleted', { status: DELETED }, 'coach-deleted'],
  ])('pays the unused part back when the coach is %s', async (_, state, reason) => {
    const { kept, refunds } = await half(({ coach }) => billing.change(coach, state));
    expect(kept).toBe(20_000);
    expect(refunds).toEqual([expect.objectContaining({ amount: 20_000, reason, state: 'paid' })]);
  });

  it('by the coach’s block pays the unused part back, by the subscriber’s nothing', async () => {
    const byCoach = await half(({ ana, coach }) => billing.block(coach, ana));
    const bySubscriber = await half(({ ana, coach }) => billing.block(ana, coach));
    expect([byCoach.kept, bySubscriber.kept, bySubscriber.refunds]).toEqual([20_000, 40_000, []]);
  });

  it('of a deleted subscriber cancels at the provider and pays nothing back', async () => {
    expect((await half(({ ana }) => billing.change(ana, { status: DELETED }))).kept).toBe(40_000);
  });

  it('leaves the paid period where the coach stops, and renews it no more', async () => {
    const { ana, coach, paid } = await payments.couple();
    await billing.change(coach, { isCoach: false });
    await payments.settle();
    expect(provider.subscriptions.get(paid)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    expect(await billing.get(ana, coach)).toMatchObject({ givesAccess: true, cancelAtPeriodEnd: true });
    // In the portal it could be resumed: it still ends.
    provider.setEnding(paid, false);
    await payments.tellAll();
    expect(provider.subscriptions.get(paid)!.cancelAtPeriodEnd).toBe(true);
    await billing.change(coach, { isCoach: true });
    await payments.settle();
    expect((await billing.get(ana, coach)).cancelAtPeriodEnd).toBe(true);
    billing.clock.advance(MONTH_MS);
    provider.turn();
    await payments.tellAll();
    expect(await accessOf(ana, coach)).toBe(false);
  });

  it('pays all back that is paid after it, and gives no access', async () => {
    const [ana, coach] = [await billing.person(), await billing.coach()];
    const customer = await payments.customer(ana);
    await billing.block(ana, coach);
    const paid = provider.subscribe(customer, coach.id);
    await payments.tellAll();
    expect([provider.keptMinor(paid), provider.living({ userId: ana.id, coachId: coach.id })]).toEqual([
      0,
      [],
    ]);
    expect(await outcome(billing.get(ana, coach))).toBe('not-found not-found');
  });
});

// Rule: SUBS-18
describe('the comparison with the provider', () => {
  it('tells what differs, and with --apply makes it as the provider has it', async () => {
    await payments.settle();
    await payments.reconcile();
    await payments.settle();
    const { ana, coach, customer } = await payments.couple();
    const [ben, cora] = [await billing.person(), await billing.person()];
    // Its events are lost.
    provider.subscribe(await payments.customer(ben), coach.id);
    await billing.tamper(ana, coach, "status = 'cancelled', access_until = now(), gives_access = false");
    const alone = await billing.person();
    await payments.customer(alone);
    const ghost = provider.subscribe(provider.customer(cora.id, 'MXN'), coach.id);
    provider.takeEvents();
    const { drifts } = await payments.reconcile(false);
    expect(drifts.map(({ userId, what }) => [userId, what])).toEqual([
      [cora.id, 'its customer is not known'],
      [ana.id, 'cancelled to active'],
      [ben.id, 'none to active'],
    ]);
    expect(await outcome(billing.get(ben, coach))).toBe('not-found not-found');

    expect((await payments.reconcile()).drifts).toHaveLength(4);
    for (const user of [ana, ben, cora]) expect(await accessOf(user, coach)).toBe(true);
    expect(provider.subscriptions.get(ghost)!.status).toBe('active');
    expect((await payments.reconcile(false)).drifts).toEqual([]);
    expect(customer).toBeDefined();
  });

  it('tells what lives here alone, and ends nothing because the provider does not show it', async () => {
    const { ana, coach, paid } = await payments.couple();
    provider.subscriptions.delete(paid);
    const { drifts } = await payments.reconcile();
    expect(drifts).toEqual([
      expect.objectContaining({
        userId: ana.id,
        what: 'the provider does not know it',
        providerSubscriptionId: paid,
      }),
    ]);
    expect(await accessOf(ana, coach)).toBe(true);
  });
});
