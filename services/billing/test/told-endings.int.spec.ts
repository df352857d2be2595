import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { type Billing, type Person, SUSPENDED } from './start.js';

const DAY_MS = 24 * 60 * 60_000;

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

/** What the first page of the list says beside the subscriptions that give access. */
async function toldTo(user: Person) {
  const { items, ended } = await billing.list(user);
  const of = (coaches: typeof items) =>
    coaches.map(({ coachId, refunded, refundedAt, disputed }) => ({
      ...{ coachId, disputed, refundedAt },
      refunded: refunded && [refunded.amountMinor, refunded.currency],
    }));
  return { items: of(items), ended: of(ended) };
}

// Rule: SUBS-35
describe('the list of a member’s subscriptions', () => {
  it('tells of one that a dispute has ended, for 60 days, and no more once the member has subscribed again', async () => {
    const { ana, coach, paid, customer } = await payments.couple();
    expect(await toldTo(ana)).toMatchObject({ items: [{ disputed: false, refunded: undefined }], ended: [] });
    provider.dispute(paid);
    await payments.tellAll();
    const told = { coachId: coach.id, disputed: true, refunded: undefined, refundedAt: undefined };
    expect(await toldTo(ana)).toEqual({ items: [], ended: [told] });
    billing.clock.advance(60 * DAY_MS - 1);
    expect((await toldTo(ana)).ended).toEqual([told]);
    provider.subscribe(customer, coach.id);
    await payments.tellAll();
    expect(await toldTo(ana)).toMatchObject({ items: [{ coachId: coach.id, disputed: false }], ended: [] });
  });

  it('tells of it no longer, and of nothing that has ended otherwise', async () => {
    const [{ ana, paid }, free] = [await payments.couple(), await billing.coach()];
    provider.dispute(paid);
    await payments.tellAll();
    await billing.cancel(ana, free);
    expect((await toldTo(ana)).ended).toHaveLength(1);
    billing.clock.advance(60 * DAY_MS);
    expect(await toldTo(ana)).toEqual({ items: [], ended: [] });
    expect((await billing.list(ana, { all: true })).items).toHaveLength(2);
  });

  it('tells all that was paid back for one, whether it has ended or goes on', async () => {
    const { ana, coach } = await payments.couple();
    const refund = async (amount: string) => {
      await billing.command('refund', ana.id, coach.id, '--amount', amount, '--reason', 'asked', '--apply');
      await payments.tellAll();
    };
    await refund('10');
    const first = billing.clock.now();
    expect(await toldTo(ana)).toEqual({
      items: [{ coachId: coach.id, disputed: false, refunded: [1_000, 'MXN'], refundedAt: first }],
      ended: [],
    });
    billing.clock.advance(DAY_MS);
    await refund('5.5');
    expect((await toldTo(ana)).items).toMatchObject([
      { refunded: [1_550, 'MXN'], refundedAt: first + DAY_MS },
    ]);
  });

  it('tells what was paid back of one whose coach is suspended, on the first page alone', async () => {
    const { ana, coach, customer } = await payments.couple();
    billing.clock.advance(MONTH_MS / 2);
    await billing.change(coach, { status: SUSPENDED });
    await payments.tellAll();
    const others = [await billing.coach(), await billing.coach()];
    for (const other of others) provider.subscribe(customer, other.id);
    await payments.tellAll();
    const first = await billing.list(ana, { limit: 1 });
    expect(first.ended).toMatchObject([
      { coachId: coach.id, givesAccess: false, refunded: { amountMinor: 20_000, currency: 'MXN' } },
    ]);
    expect([first.items.length, first.nextCursor === '']).toEqual([1, false]);
    const second = await billing.list(ana, { limit: 1, cursor: first.nextCursor });
    expect([second.items.length, second.ended]).toEqual([1, []]);
    expect((await billing.list(ana, { limit: 100 })).items).toHaveLength(2);
    expect((await billing.list(ana, { all: true })).ended).toEqual([]);
  });
});

// Rule: SUBS-35
it('the dashboard tells the coach of a dispute, and until when others have access', async () => {
  const { ana, coach, paid } = await payments.couple();
  const shown = async () =>
    (await billing.subscribers(coach)).items.map(({ disputed, accessUntil }) => ({ disputed, accessUntil }));
  expect(await shown()).toEqual([{ disputed: false, accessUntil: undefined }]);
  await billing.cancel(ana, coach);
  await payments.tellAll();
  const { currentPeriodEnd: end } = await billing.get(ana, coach);
  expect(await shown()).toEqual([{ disputed: false, accessUntil: end }]);
  provider.dispute(paid);
  await payments.tellAll();
  expect(await shown()).toEqual([{ disputed: true, accessUntil: undefined }]);
});
