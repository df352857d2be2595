import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { type Billing, type Person, SUSPENDED } from './start.js';

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

/** A month goes by. */
async function month(): Promise<void> {
  billing.clock.advance(MONTH_MS);
  provider.turn();
  await payments.tellAll();
}
const dueBy = async (user: Person) =>
  (await billing.as(user, (client) => client.getPaymentStatus({}))).paymentDueBy;

// Rule: SUBS-9
describe('a subscription whose payments the provider does not collect for a while', () => {
  it('goes on, is not past due, and is paid again afterwards', async () => {
    const { ana, coach, paid } = await payments.couple();
    provider.setPaused(paid, true);
    for (let months = 0; months < 2; months += 1) {
      await month();
      expect(await billing.get(ana, coach)).toMatchObject({
        ...{
          status: SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE,
          givesAccess: true,
        },
        currentPeriodEnd: provider.subscriptions.get(paid)!.currentPeriodEnd,
      });
      expect([await dueBy(ana), provider.keptMinor(paid)]).toEqual([undefined, 0]);
    }
    provider.setPaused(paid, false);
    await month();
    expect([(await billing.get(ana, coach)).givesAccess, provider.keptMinor(paid)]).toEqual([true, 40_000]);
  });

  it('has nothing to be paid back when it ends', async () => {
    const { ana, coach, paid } = await payments.couple();
    provider.setPaused(paid, true);
    await month();
    await billing.change(coach, { status: SUSPENDED });
    await payments.settle();
    expect((await billing.get(ana, coach)).givesAccess).toBe(false);
    expect([provider.subscriptions.get(paid)!.status, await payments.refunds(paid)]).toEqual([
      'cancelled',
      [],
    ]);
  });

  it('is past due still where a payment was missing before', async () => {
    const { ana, coach, paid, customer } = await payments.couple();
    provider.setCard(customer, false);
    await month();
    provider.setPaused(paid, true);
    await payments.tellAll();
    expect(await billing.get(ana, coach)).toMatchObject({
      status: SubscriptionStatus.SUBSCRIPTION_STATUS_PAST_DUE,
    });
    expect(await dueBy(ana)).toBeDefined();
  });
});
