import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { type Billing, DELETED, outcome, type Person, SUSPENDED } from './start.js';

const HOUR_MS = 60 * 60_000;

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

const accessOf = async (user: Person, coach: Person) => (await billing.get(user, coach)).givesAccess;
const publishedOf = (user: Person, coach: Person) => billing.published(user, coach)?.active ?? false;

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

  it('that the provider has refused is asked for again under another key, at most once an hour', async () => {
    const { ana, coach, paid } = await payments.couple();
    const asked = () => provider.asked.get('cancelNow') ?? 0;
    const before = asked();
    provider.failNext('cancelNow', 'refused', 3);
    await billing.block(coach, ana);
    await payments.settle();
    // The end of the first call has the customer read again.
    expect([asked() - before, provider.subscriptions.get(paid)!.status]).toEqual([2, 'active']);
    await payments.reconcile();
    await payments.settle();
    expect(asked() - before).toBe(2);
    expect(await accessOf(ana, coach)).toBe(false);
    for (const hours of [1, 2]) {
      billing.clock.advance(HOUR_MS);
      await payments.reconcile();
      await payments.settle();
      expect(asked() - before).toBe(2 + hours);
    }
    expect(provider.subscriptions.get(paid)!.status).toBe('cancelled');
    expect(provider.keptMinor(paid)).toBeLessThan(40_000);
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
