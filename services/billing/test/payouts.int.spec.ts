import { tally } from '@pulso/platform/testing/outcomes';
import { outcome, type Person, SUSPENDED } from './start.js';
import { PAGE, Paying } from './support/paying.js';

let paying: Paying;
beforeAll(async () => (paying = await Paying.start()));
afterEach(() => paying.provider.recover());
afterAll(() => paying?.stop());

const onboarding = (coach: Person | null) =>
  paying.billing.as(coach, (client) => client.openOnboarding({ refreshUrl: PAGE, returnUrl: PAGE }));
const dashboard = (user: Person | null) =>
  paying.billing.as(user, (client) => client.openPayoutDashboard({ returnUrl: PAGE }));
const portal = (user: Person | null) =>
  paying.billing.as(user, (client) => client.openBillingPortal({ returnUrl: PAGE }));
const price = (coach: Person | null) => paying.billing.as(coach, (client) => client.ensurePrice({}));
const check = (coach: Person, priceMinor: number | undefined, currency: string) =>
  paying.billing
    .as(coach, (client) => client.checkPrice({ priceMinor, currency }))
    .then(() => 'taken')
    .catch(({ code, message }: { code: string; message: string }) => `${code}: ${message}`);

// Rule: SUBS-19
describe('payouts', () => {
  it('have one account a coach, however often it is asked for', async () => {
    const carla = await paying.billing.coach();
    const before = paying.provider.accounts.size;
    const ids = await Promise.all(Array.from({ length: 8 }, () => paying.account(carla)));
    expect(tally(ids)).toEqual({ [ids[0]!]: 8 });
    expect((await onboarding(carla)).url).toBe(`https://pay.example/onboarding/${ids[0]}`);
    expect(paying.provider.accounts.size).toBe(before + 1);
  });

  it('are set up by coaches alone', async () => {
    const ana = await paying.billing.person();
    for (const ask of [paying.account.bind(paying), onboarding, price])
      expect(await outcome(ask(ana))).toBe('permission-denied permission-denied');
    expect(await outcome(onboarding(null))).toBe('unauthenticated not-authenticated');
    const gone = await paying.billing.coach();
    await paying.billing.change(gone, { status: SUSPENDED });
    expect(await outcome(onboarding(gone))).toBe('permission-denied user-disabled');
    expect(await paying.billing.rows('SELECT FROM payout_accounts WHERE coach_id = $1', [ana.id])).toEqual(
      [],
    );
  });

  // Rule: SUBS-20
  it('have a page of their own once they are set up', async () => {
    const carla = await paying.billing.coach();
    expect(await outcome(dashboard(carla))).toBe('unprocessable no-billing-account');
    const account = await paying.account(carla);
    expect(await outcome(dashboard(carla))).toBe('unprocessable coach-not-ready');
    paying.provider.onboard(account);
    expect((await dashboard(carla)).url).toBe(`https://pay.example/payouts/${account}`);
    const [row] = await paying.billing.rows<{ is_ready: boolean }>(
      'SELECT is_ready FROM payout_accounts WHERE account_id = $1',
      [account],
    );
    expect(row).toEqual({ is_ready: true });
  });

  it('are unavailable while the provider is away', async () => {
    const carla = await paying.billing.coach();
    paying.provider.failNext('createAccount', 'not-executed');
    expect(await outcome(onboarding(carla))).toBe('unavailable unavailable');
    await paying.account(carla);
    paying.provider.failNext('account', 'unknown');
    expect(await outcome(dashboard(carla))).toBe('unavailable unavailable');
  });
});

// Rule: SUBS-20
it('payers have a page of their own once the provider knows them', async () => {
  const ana = await paying.billing.person();
  const carla = await paying.seller();
  expect(await outcome(portal(ana))).toBe('unprocessable no-billing-account');
  expect(await outcome(portal(null))).toBe('unauthenticated not-authenticated');
  await paying.subscribed(ana, carla);
  const { customerId } = paying.checkouts(ana, carla)[0]!;
  expect((await portal(ana)).url).toBe(`https://pay.example/portal/${customerId}`);
  // A later customer of another currency, who pays for nothing yet.
  paying.billing.clock.advance(1_000);
  await paying.setPrice(carla, 2_500, 'USD');
  const mike = await paying.seller();
  await paying.setPrice(mike, 2_500, 'USD');
  await paying.checkout(ana, mike);
  expect((await portal(ana)).url).toBe(`https://pay.example/portal/${customerId}`);
});

// Rule: SUBS-7
describe('the provider’s price', () => {
  it('is made once for each amount and currency, and found again', async () => {
    const carla = await paying.billing.coach();
    expect(await outcome(price(carla))).toBe('unprocessable price-not-set');
    await paying.setPrice(carla, 0);
    expect(await outcome(price(carla))).toBe('unprocessable price-not-set');
    await paying.setPrice(carla, 40_000);
    const { priceId } = await price(carla);
    expect(paying.provider.prices.get(priceId)).toEqual({
      coachId: carla.id,
      amountMinor: 40_000,
      currency: 'MXN',
    });
    await paying.setPrice(carla, 50_000);
    const other = await price(carla);
    expect(other.priceId).not.toBe(priceId);
    await paying.setPrice(carla, 40_000);
    expect(await Promise.all([price(carla), price(carla)])).toEqual([{ priceId }, { priceId }]);
  });
});

// Rule: SUBS-5
describe('with a provider a price', () => {
  it('is 0, none, or at least what the provider takes', async () => {
    const carla = await paying.billing.coach();
    for (const [minor, currency] of [
      [0, 'MXN'],
      [undefined, 'USD'],
      [1_000, 'MXN'],
      [50, 'USD'],
    ] as const)
      expect(await check(carla, minor, currency)).toBe('taken');
    const least = 'price-below-minimum: The lowest price is MX$10.00';
    expect(await check(carla, 950, 'MXN')).toBe(least);
    expect(await check(carla, 50, '')).toBe(least);
    await paying.setPrice(carla, 2_500, 'USD');
    expect(await check(carla, 50, '')).toBe('taken');
  });

  it('is needed to subscribe; 0 is free', async () => {
    const [ana, carla] = [await paying.billing.person(), await paying.billing.coach()];
    expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('unprocessable price-not-set');
    await paying.setPrice(carla, 0);
    const { created, subscription } = await paying.billing.subscribe(ana, carla);
    expect([created, subscription!.givesAccess, subscription!.paid]).toEqual([true, true, undefined]);
    // Who is there for free stays so when the coach asks for money.
    await paying.setPrice(carla, 40_000);
    expect((await paying.billing.subscribe(ana, carla)).subscription).toMatchObject({ givesAccess: true });
    await paying.billing.cancel(ana, carla);
    expect(await outcome(paying.billing.subscribe(ana, carla))).toBe('payment-required payment-required');
  });
});
