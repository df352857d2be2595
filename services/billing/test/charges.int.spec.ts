import { MONTH_MS } from './support/fake-book.js';
import { Paying } from './support/paying.js';
import { Payments } from './support/payments.js';
import { outcome, type Person } from './start.js';

const isOn = (id: string, account: string) => id.startsWith(`${account}/`);

// Rule: SUBS-16
describe.each(['destination', 'direct'])('with %s charges', (charges) => {
  const isDirect = charges === 'direct';
  let paying: Paying;
  let payments: Payments;
  beforeAll(async () => {
    paying = await Paying.start({ isDirect });
    payments = new Payments(paying.billing, paying.provider);
    await payments.stopWorkers();
  });
  afterEach(() => paying?.provider.recover());
  afterAll(() => paying?.stop());

  const couple = async () => {
    const [ana, carla] = [await paying.billing.person(), await paying.seller()];
    const paid = await paying.pay(ana, carla);
    await payments.tellAll();
    return { ana, carla, paid, account: await paying.account(carla) };
  };
  const hasAccess = async (user: Person, coach: Person) =>
    (await paying.billing.get(user, coach)).givesAccess;
  const provided = (id: string) => paying.provider.subscriptions.get(id)!;

  it('a subscription is paid on its page, renewed, and ended with its period, by its events', async () => {
    const { ana, carla, paid, account } = await couple();
    const { customerId, latestPayment } = provided(paid);
    for (const id of [paid, customerId, latestPayment!.paymentId!]) expect(isOn(id, account)).toBe(isDirect);
    expect(await hasAccess(ana, carla)).toBe(true);
    expect(await outcome(paying.checkout(ana, carla))).toBe('conflict conflict');
    await paying.billing.cancel(ana, carla);
    await payments.settle();
    expect(provided(paid).cancelAtPeriodEnd).toBe(true);
    await paying.billing.subscribe(ana, carla);
    await payments.settle();
    expect(provided(paid).cancelAtPeriodEnd).toBe(false);
    paying.billing.clock.advance(MONTH_MS);
    paying.provider.turn();
    await payments.tellAll();
    const row = await paying.billing.get(ana, carla);
    expect([row.givesAccess, row.currentPeriodEnd]).toEqual([true, provided(paid).currentPeriodEnd]);
    paying.provider.end(paid);
    paying.billing.clock.advance(MONTH_MS);
    await payments.tellAll();
    expect(await hasAccess(ana, carla)).toBe(false);
    expect((await payments.reconcile(false)).drifts).toEqual([]);
  });

  it('who comes back from the page is let in before the event, also for another coach', async () => {
    const ana = await paying.billing.person();
    const coaches = [await paying.seller(), await paying.seller()];
    const paid = [];
    for (const coach of coaches) paid.push(await paying.subscribed(ana, coach));
    for (const coach of coaches) expect(await hasAccess(ana, coach)).toBe(true);
    expect(new Set(paid.map((id) => provided(id).customerId)).size).toBe(isDirect ? 2 : 1);
    await payments.tellAll();
    expect((await payments.reconcile(false)).drifts).toEqual([]);
  });

  it('a block ends it at once and pays back what is left, once', async () => {
    const { ana, carla, paid } = await couple();
    await paying.billing.block(carla, ana);
    await payments.tellAll();
    await payments.tellAll();
    expect([await hasAccess(ana, carla), provided(paid).status]).toEqual([false, 'cancelled']);
    expect(await payments.refunds(paid)).toMatchObject([
      { amount: 40_000, reason: 'blocked', state: 'paid' },
    ]);
    expect(paying.provider.keptMinor(paid)).toBe(0);
  });

  // Rule: SUBS-34
  it('a dispute ends it; a share is taken back where one was handed on', async () => {
    const { ana, carla, paid } = await couple();
    const dispute = paying.provider.dispute(paid);
    await payments.tellAll();
    expect([await hasAccess(ana, carla), provided(paid).status]).toEqual([false, 'cancelled']);
    expect(paying.provider.sharesTaken.get(dispute) ?? 0).toBe(isDirect ? 0 : 40_000);
    paying.provider.decideDispute(dispute, 'won');
    await payments.tellAll();
    expect(paying.provider.sharesTaken.get(dispute) ?? 0).toBe(0);
    expect((await payments.reconcile(false)).drifts).toEqual([]);
  });

  // Rule: SUBS-18
  it('the comparison finds what no event has told, and a customer that a restored backup has forgotten', async () => {
    const [ana, carla] = [await paying.billing.person(), await paying.seller()];
    const paid = await paying.pay(ana, carla);
    paying.provider.takeEvents();
    const { customerId } = provided(paid);
    await paying.billing.rows('DELETE FROM provider_customers WHERE customer_id = $1', [customerId]);
    const { drifts } = await payments.reconcile();
    expect(drifts.map(({ what }) => what)).toEqual(['its customer is not known', 'none to active']);
    expect(await hasAccess(ana, carla)).toBe(true);
    expect((await payments.reconcile(false)).drifts).toEqual([]);
  });

  // Rule: SUBS-9
  it('a plan that was switched to a cheap coach’s price ends, there and here, and its unused part is paid back', async () => {
    const [{ ana, carla, paid }, cheap] = [await couple(), await paying.seller(1_000)];
    paying.provider.switchPlan(paid, cheap.id, 1_000);
    paying.provider.takeEvents();
    expect((await payments.reconcile(false)).drifts).toMatchObject([
      { what: expect.stringContaining(`${paid} must end: other-price`) },
    ]);
    await payments.reconcile();
    await payments.tellAll();
    expect(await hasAccess(ana, carla)).toBe(false);
    expect(await paying.billing.standing(ana, cheap)).toEqual([0, false]);
    expect(provided(paid).status).toBe('cancelled');
    expect(await payments.refunds(paid)).toMatchObject([{ reason: 'other-price', state: 'paid' }]);
    expect((await payments.reconcile(false)).drifts).toEqual([]);
  });

  // Rule: SUBS-20, SUBS-33
  it('the portal is of the payment that is missing, else of what has begun last', async () => {
    const ana = await paying.billing.person();
    const coaches = [await paying.seller(), await paying.seller(), await paying.seller()];
    const paid = [];
    for (const coach of coaches) {
      paid.push(await paying.pay(ana, coach));
      await payments.tellAll();
      paying.billing.clock.advance(60_000);
    }
    const portal = async () =>
      (
        await paying.billing.as(ana, (client) =>
          client.openBillingPortal({ returnUrl: 'https://pulso.example' }),
        )
      ).url;
    const customers = paid.map((id) => provided(id).customerId);
    expect(await portal()).toBe(`https://pay.example/portal/${customers[2]}`);
    paying.provider.setCard(customers[1]!, false);
    paying.billing.clock.advance(MONTH_MS);
    paying.provider.turn();
    await payments.tellAll();
    expect(await portal()).toBe(`https://pay.example/portal/${customers[1]}`);
  });
});

// Rule: SUBS-16
describe('a change of STRIPE_CHARGES', () => {
  let paying: Paying;
  let payments: Payments;
  beforeAll(async () => {
    paying = await Paying.start();
    payments = new Payments(paying.billing, paying.provider);
    await payments.stopWorkers();
  });
  afterEach(() => {
    paying.provider.recover();
    paying.provider.isDirect = false;
  });
  afterAll(() => paying?.stop());

  it.each([false, true])(
    'leaves what is sold where it is, and sells on the new place (direct before: %s)',
    async (was) => {
      const { provider, billing } = paying;
      provider.isDirect = was;
      const [ana, ben, carla] = [await billing.person(), await billing.person(), await paying.seller()];
      const old = await paying.subscribed(ana, carla);
      provider.isDirect = !was;
      const fresh = await paying.subscribed(ben, carla);
      await payments.tellAll();
      const account = await paying.account(carla);
      expect([old, fresh].map((id) => isOn(id, account))).toEqual([was, !was]);
      expect(await outcome(paying.checkout(ana, carla))).toBe('conflict conflict');
      expect((await payments.reconcile(false)).drifts).toEqual([]);
      await billing.cancel(ana, carla);
      await payments.settle();
      expect(provider.subscriptions.get(old)!.cancelAtPeriodEnd).toBe(true);
      await billing.block(carla, ana);
      await payments.tellAll();
      expect(await payments.refunds(old)).toMatchObject([{ state: 'paid' }]);
    },
  );

  it('sees what was paid before it and not told yet, so that nobody pays twice', async () => {
    const { provider, billing } = paying;
    const [ana, carla] = [await billing.person(), await paying.seller()];
    await paying.pay(ana, carla);
    await billing.rows("UPDATE checkouts SET state = 'expired' WHERE user_id = $1", [ana.id]);
    provider.isDirect = true;
    expect(await outcome(paying.checkout(ana, carla))).toBe('conflict conflict');
    expect((await billing.get(ana, carla)).givesAccess).toBe(true);
  });

  // Rule: SUBS-10
  it('ends a second subscription of a pair, on whichever account it is', async () => {
    const { provider, billing } = paying;
    const [ana, carla] = [await billing.person(), await paying.seller()];
    const first = await paying.subscribed(ana, carla);
    const customer = await payments.customer(ana, 'MXN', await paying.account(carla));
    const second = provider.subscribe(customer, carla.id);
    await payments.tellAll();
    expect([first, second].map((id) => provider.subscriptions.get(id)!.status)).toEqual([
      'active',
      'cancelled',
    ]);
    expect(await payments.refunds(second)).toMatchObject([
      { amount: 40_000, reason: 'second', state: 'paid' },
    ]);
    expect((await billing.get(ana, carla)).givesAccess).toBe(true);
  });

  // Rule: SUBS-7
  it('has the price made on the coach’s account, who has to have one', async () => {
    const { provider, billing } = paying;
    provider.isDirect = true;
    const carla = await billing.coach();
    await paying.setPrice(carla, 40_000);
    const ensure = () => billing.as(carla, (client) => client.ensurePrice({}));
    expect(await outcome(ensure())).toBe('unprocessable coach-not-ready');
    const account = await paying.account(carla);
    const { priceId } = await ensure();
    expect(isOn(priceId, account)).toBe(true);
    expect(await ensure()).toEqual({ priceId });
    provider.isDirect = false;
    expect(isOn((await ensure()).priceId, account)).toBe(false);
  });

  it('is not stopped by an account that has left the platform: the comparison tells of it and reads all others', async () => {
    const { provider, billing } = paying;
    provider.isDirect = true;
    const [ana, carla] = [await billing.person(), await paying.seller()];
    await paying.subscribed(ana, carla);
    provider.takeEvents();
    await payments.settle();
    const account = await paying.account(carla);
    provider.leave(account);
    const { drifts } = await payments.reconcile();
    expect(drifts).toMatchObject([
      { customerId: account, what: 'the provider refuses to show it' },
      { customerId: expect.stringContaining(account), what: 'the provider refuses to show it' },
    ]);
    expect((await billing.get(ana, carla)).givesAccess).toBe(true);
  });
});
