import { jest } from '@jest/globals';
import { PaymentNoticeKind, type PaymentNoticeState } from '@pulso/contracts/billing/v1/events';
import { paymentNoticeTopic } from '@pulso/contracts/topics/billing';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { PaymentNoticeRepository } from '../src/store/payment-notice.repository.js';
import { RefundRepository } from '../src/store/refund.repository.js';
import { SubscriptionRepository } from '../src/store/subscription.repository.js';
import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { type Billing, type Person, SUSPENDED, tally } from './start.js';

const DAY_MS = 24 * 60 * 60_000;
const {
  PAYMENT_NOTICE_KIND_FAILED: FAILED,
  PAYMENT_NOTICE_KIND_RENEWED: RENEWED,
  PAYMENT_NOTICE_KIND_REFUNDED: REFUNDED,
  PAYMENT_NOTICE_KIND_SECOND_REFUNDED: SECOND_REFUNDED,
  PAYMENT_NOTICE_KIND_DISPUTED: DISPUTED,
} = PaymentNoticeKind;

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

/** What was published for a payer, in the order of time; each as it is stored. */
async function noticesTo(user: Person): Promise<PaymentNoticeState[]> {
  const rows = await billing.rows<{ id: string }>(
    'SELECT id FROM payment_notices WHERE user_id = $1 ORDER BY id',
    [user.id],
  );
  return rows.map(({ id }) => billing.service.deliveredState(paymentNoticeTopic, id)!);
}
const kindsTo = async (user: Person) => (await noticesTo(user)).map(({ kind }) => kind);

/** The provider's events twice, and the reads beside each other. */
async function tellTwice(customer: string): Promise<void> {
  const events = provider.takeEvents();
  await payments.take([...events, ...events]);
  await Promise.all([payments.settle(), payments.sync(customer), payments.sync(customer)]);
  await payments.tellAll();
  await payments.reconcile();
}

/** A month later; the card is good, or not. */
async function aMonthLater(customer: string, isCardGood: boolean): Promise<void> {
  provider.setCard(customer, isCardGood);
  billing.clock.advance(MONTH_MS);
  provider.turn();
  await tellTwice(customer);
}

// Rule: MAIL-12, SUBS-33
describe('a payer is told once', () => {
  it('of each renewal that is paid, and not of the beginning', async () => {
    const { ana, coach, customer } = await payments.couple();
    await tellTwice(customer);
    expect(await noticesTo(ana)).toEqual([]);
    await aMonthLater(customer, true);
    const { currentPeriodEnd: until } = await billing.get(ana, coach);
    const ids = { userId: ana.id, coachId: coach.id };
    expect(await noticesTo(ana)).toEqual([
      expect.objectContaining({ ...ids, kind: RENEWED, amountMinor: 40_000, currency: 'MXN', until }),
    ]);
    await aMonthLater(customer, true);
    expect(await kindsTo(ana)).toEqual([RENEWED, RENEWED]);
  });

  it('of one that fails while access goes on, and of its payment', async () => {
    const { ana, coach, customer, paid } = await payments.couple();
    await aMonthLater(customer, false);
    const { accessUntil: until } = await billing.get(ana, coach);
    expect(await noticesTo(ana)).toEqual([
      expect.objectContaining({ kind: FAILED, amountMinor: 40_000, currency: 'MXN', until }),
    ]);
    billing.clock.advance(6 * DAY_MS);
    await tellTwice(customer);
    provider.setCard(customer, true);
    expect(provider.retryPayment(paid)).toBe(true);
    await tellTwice(customer);
    expect(await kindsTo(ana)).toEqual([FAILED, RENEWED]);
    await aMonthLater(customer, false);
    expect(await kindsTo(ana)).toEqual([FAILED, RENEWED, FAILED]);
    // It ends, and nobody is told of what was told.
    billing.clock.advance(7 * DAY_MS);
    await tellTwice(customer);
    expect((await billing.get(ana, coach)).givesAccess).toBe(false);
    expect(await kindsTo(ana)).toEqual([FAILED, RENEWED, FAILED]);
  });

  // Rule: SUBS-12
  it('of what is paid back when it is, however often that is reported', async () => {
    const { ana, coach, customer } = await payments.couple();
    billing.clock.advance(MONTH_MS / 2);
    provider.failNext('refund', 'after-effect');
    await billing.change(coach, { status: SUSPENDED });
    await tellTwice(customer);
    expect(await noticesTo(ana)).toEqual([
      expect.objectContaining({ kind: REFUNDED, coachId: coach.id, amountMinor: 20_000, currency: 'MXN' }),
    ]);
    const [refund] = await billing.rows<{ id: string; refund_id: string }>(
      'SELECT id, refund_id FROM refunds ORDER BY id DESC LIMIT 1',
    );
    const settle = (refundId?: string) =>
      billing.service
        .get(Writes)
        .run((transaction) =>
          billing.service.get(RefundRepository).settle(refund!.id, refundId, transaction),
        );
    expect([await settle(refund!.refund_id), await settle()]).toEqual([undefined, undefined]);
  });

  // Rule: SUBS-34, SUBS-35
  it('of a dispute that ends the subscription, whatever becomes of it', async () => {
    const { ana, coach, paid, customer } = await payments.couple();
    const dispute = provider.dispute(paid);
    await tellTwice(customer);
    const ids = { userId: ana.id, coachId: coach.id };
    expect(await noticesTo(ana)).toEqual([
      expect.objectContaining({ ...ids, kind: DISPUTED, amountMinor: 40_000, currency: 'MXN' }),
    ]);
    provider.decideDispute(dispute, 'won');
    await tellTwice(customer);
    expect(await kindsTo(ana)).toEqual([DISPUTED]);
  });

  it('of an operator’s refund, and of none that the provider refuses', async () => {
    const { ana, coach } = await payments.couple();
    const refund = (amount: string) =>
      billing.command('refund', ana.id, coach.id, '--amount', amount, '--reason', 'second', '--apply');
    provider.failNext('refund', 'refused');
    await refund('5');
    await payments.settle();
    expect(await kindsTo(ana)).toEqual([]);
    await refund('12.50');
    await payments.settle();
    expect(await noticesTo(ana)).toEqual([expect.objectContaining({ kind: REFUNDED, amountMinor: 1_250 })]);
  });

  // Rule: SUBS-10
  it('of a second subscription that was ended', async () => {
    const { ana, coach, customer } = await payments.couple();
    provider.subscribe(customer, coach.id, 30_000);
    await tellTwice(customer);
    expect(await noticesTo(ana)).toEqual([
      expect.objectContaining({ kind: SECOND_REFUNDED, coachId: coach.id, amountMinor: 30_000 }),
    ]);
  });
});

it('a notice is stored with what it tells, or not at all', async () => {
  const { ana, coach, customer } = await payments.couple();
  provider.setCard(customer, false);
  billing.clock.advance(MONTH_MS);
  provider.turn();
  const save = jest.spyOn(billing.service.get(SubscriptionRepository), 'save');
  onTestEnd(() => save.mockRestore());
  save.mockRejectedValueOnce(new Error('killed'));
  await expect(payments.sync(customer)).rejects.toThrow('killed');
  await billing.service.drainEvents();
  expect([await noticesTo(ana), (await billing.get(ana, coach)).accessUntil]).toEqual([[], undefined]);
  await tellTwice(customer);
  expect(await kindsTo(ana)).toEqual([FAILED]);
});

it('the store takes no second notice of a cause', async () => {
  const [ana, coach] = [await billing.person(), await billing.coach()];
  const of = { userId: ana.id, coachId: coach.id, providerSubscriptionId: newIdAt(billing.clock.now()) };
  const notice = { ...of, cause: 'in_1', amountMinor: 100, currency: 'USD', until: null };
  const add = () =>
    billing.service.get(Writes).run((transaction) =>
      billing.service.get(PaymentNoticeRepository).add(
        [
          { ...notice, kind: 'renewed' },
          { ...notice, kind: 'refunded' },
        ],
        transaction,
      ),
    );
  await Promise.all([add(), add(), add()]);
  await billing.service.drainEvents();
  expect(tally((await kindsTo(ana)).map(String))).toEqual({ [RENEWED]: 1, [REFUNDED]: 1 });
});
