import { until } from '@pulso/platform/testing/until';
import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { type Billing, type Person, SUSPENDED } from './start.js';

const DAY_MS = 24 * 60 * 60_000;

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterEach(() => provider.recover());
afterAll(() => billing?.stop());

const accessOf = async (user: Person, coach: Person) => (await billing.get(user, coach)).givesAccess;
const livingOf = ({ ana, coach }: { ana: Person; coach: Person }) =>
  provider.living({ userId: ana.id, coachId: coach.id });
const shareOf = async (dispute: string) =>
  (
    await billing.rows<object>('SELECT state, share, share_minor AS minor FROM disputes WHERE id = $1', [
      dispute,
    ])
  )[0];

// Rule: SUBS-34
describe('a disputed payment', () => {
  it('ends access and the subscription at once, pays nothing back, and takes the coach’s share back once', async () => {
    const couple = await payments.couple();
    const { ana, coach, paid, customer } = couple;
    const dispute = provider.dispute(paid);
    const events = provider.takeEvents();
    await payments.take([...events, ...events]);
    await payments.settle();
    await Promise.all([payments.sync(customer), payments.sync(customer)]);
    await payments.tellAll();
    expect([await accessOf(ana, coach), billing.published(ana, coach)!.active]).toEqual([false, false]);
    expect(livingOf(couple)).toEqual([]);
    expect([await payments.refunds(paid), provider.keptMinor(paid)]).toEqual([[], 40_000]);
    expect(provider.sharesTaken.get(dispute)).toBe(40_000);
    expect(await shareOf(dispute)).toEqual({ state: 'open', share: 'taken', minor: 40_000 });
    expect((await payments.reconcile(false)).drifts).toEqual([]);
  });

  it('that is lost changes nothing more', async () => {
    const { ana, coach, paid } = await payments.couple();
    const dispute = provider.dispute(paid);
    await payments.tellAll();
    provider.decideDispute(dispute, 'lost');
    await payments.tellAll();
    expect(provider.sharesTaken.get(dispute)).toBe(40_000);
    expect(await shareOf(dispute)).toEqual({ state: 'lost', share: 'taken', minor: 40_000 });
    expect(await accessOf(ana, coach)).toBe(false);
  });

  it('that is won gives the coach the share again once; the member may subscribe anew, and nothing begins by itself', async () => {
    const couple = await payments.couple();
    const { ana, coach, paid, customer } = couple;
    const dispute = provider.dispute(paid);
    await payments.tellAll();
    provider.decideDispute(dispute, 'won');
    const events = provider.takeEvents();
    await payments.take([...events, ...events]);
    await payments.settle();
    await payments.sync(customer);
    await payments.settle();
    expect(provider.sharesTaken.get(dispute)).toBe(0);
    expect(await shareOf(dispute)).toEqual({ state: 'won', share: 'given', minor: 40_000 });
    expect([await accessOf(ana, coach), livingOf(couple)]).toEqual([false, []]);
    provider.subscribe(customer, coach.id);
    await payments.tellAll();
    expect(await accessOf(ana, coach)).toBe(true);
  });

  it('that is won while its share is still being taken back ends with both, once each', async () => {
    const { paid } = await payments.couple();
    const dispute = provider.dispute(paid);
    provider.failNext('takeShareBack', 'after-effect', 2);
    await payments.take(provider.takeEvents());
    provider.decideDispute(dispute, 'won');
    await payments.tellAll();
    expect(provider.sharesTaken.get(dispute) ?? 0).toBe(0);
    expect(await shareOf(dispute)).toMatchObject({ state: 'won' });
  });

  it('that is first seen when it is won ends the subscription as well, and moves no share', async () => {
    const { ana, coach, paid } = await payments.couple();
    const dispute = provider.dispute(paid);
    provider.decideDispute(dispute, 'won');
    await payments.tellAll();
    expect([await accessOf(ana, coach), provider.sharesTaken.has(dispute)]).toEqual([false, false]);
    expect(await shareOf(dispute)).toEqual({ state: 'won', share: 'untouched', minor: null });
  });

  it('ends a subscription that was to run out', async () => {
    const { ana, coach, paid } = await payments.couple();
    provider.end(paid);
    await payments.tellAll();
    expect(await accessOf(ana, coach)).toBe(true);
    provider.dispute(paid);
    await payments.tellAll();
    await payments.sync(provider.subscriptions.get(paid)!.customerId);
    expect(await accessOf(ana, coach)).toBe(false);
  });

  it('of an earlier subscription leaves the present one alone, also after more than 90 days', async () => {
    const { ana, coach, paid, customer } = await payments.couple();
    provider.end(paid);
    billing.clock.advance(4 * MONTH_MS);
    const second = provider.subscribe(customer, coach.id);
    await payments.tellAll();
    const dispute = provider.dispute(paid);
    await payments.tellAll();
    expect([await accessOf(ana, coach), provider.keptMinor(second)]).toEqual([true, 40_000]);
    expect(provider.sharesTaken.get(dispute)).toBe(40_000);
  });

  it('whose events are lost is found by the comparison of the night', async () => {
    const couple = await payments.couple();
    const dispute = provider.dispute(couple.paid);
    provider.takeEvents();
    expect((await payments.reconcile(false)).drifts).toEqual([
      expect.objectContaining({
        userId: couple.ana.id,
        what: `active to cancelled, ${couple.paid} must end: disputed`,
      }),
    ]);
    await payments.reconcile();
    await payments.tellAll();
    expect([livingOf(couple), await accessOf(couple.ana, couple.coach)]).toEqual([[], false]);
    provider.decideDispute(dispute, 'won');
    provider.takeEvents();
    await payments.reconcile();
    await payments.tellAll();
    expect(provider.sharesTaken.get(dispute)).toBe(0);
  });

  it('is not paid back by what had ended the subscription before', async () => {
    const { coach, paid } = await payments.couple();
    provider.failNext('cancelNow', 'unknown');
    await billing.change(coach, { status: SUSPENDED });
    provider.dispute(paid);
    await payments.tellAll();
    expect([provider.subscriptions.get(paid)!.status, provider.keptMinor(paid)]).toEqual([
      'cancelled',
      40_000,
    ]);
    expect(await payments.refunds(paid)).toEqual([]);
  });

  it('of which the provider refuses to take the share back is tried again the next day, and told to operators', async () => {
    const { ana, coach, paid } = await payments.couple();
    const dispute = provider.dispute(paid);
    provider.failNext('takeShareBack', 'refused');
    await payments.tellAll();
    expect(await shareOf(dispute)).toEqual({ state: 'open', share: 'take-refused', minor: null });
    await payments.reconcile();
    await payments.settle();
    await payments.reconcile();
    await payments.settle();
    expect(provider.sharesTaken.has(dispute)).toBe(false);
    const lines = await billing.command('disputes', '--json');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      ...{ id: dispute, user: ana.username, coach: coach.username, amount: '400.00 MXN', state: 'open' },
      share: 'take-refused',
    });
    const doctor = (await billing.command('doctor', '--json')).map(
      (line) => JSON.parse(line) as { what: string },
    );
    expect(doctor.find(({ what }) => what === 'disputes')).toMatchObject({ state: 'look' });
    billing.clock.advance(DAY_MS);
    await payments.reconcile();
    await until(async () => ((await shareOf(dispute)) as { share: string }).share !== 'take-refused', {
      what: 'another try',
    });
    await payments.settle();
    expect(provider.sharesTaken.get(dispute)).toBe(40_000);
  });
});
