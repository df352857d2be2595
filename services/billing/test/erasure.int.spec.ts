import { billingErasureTopic, subscriptionTopic } from '@pulso/contracts/topics/billing';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import { EraseUsers } from '@pulso/platform/erasure/erase-users.job';
import { until } from '@pulso/platform/testing/until';
import { EraseBilling } from '../src/erasure/erase-billing.js';
import { MONTH_MS } from './support/fake-book.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { ACTIVE, type Billing, DELETED, type Person } from './start.js';

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

let asked = 0;
const ask = ({ id: userId }: Person) =>
  billing.service.tell(erasureTopic, { userId, version: (asked += 1), requestedAt: 1 });
const deleted = (person: Person) =>
  billing.change(person, { status: DELETED, name: '', username: '', isCoach: false });
const acknowledgement = async ({ id }: Person) => {
  await billing.service.drainEvents();
  return billing.service.deliveredState(billingErasureTopic, id);
};
const untilErased = (person: Person) =>
  until(async () => (await acknowledgement(person))?.erasedAt !== undefined, { what: 'the acknowledgement' });
const erasing = ({ id }: Person) => billing.service.get(EraseBilling).erase(id);

// Rule: SUBS-13, ACCT-32
describe('an erased user', () => {
  it('as a payer ends at the provider first, keeps the books, and leaves no name', async () => {
    const { ana, coach, paid } = await payments.couple();
    billing.clock.advance(MONTH_MS / 2);
    provider.failNext('cancelNow', 'refused', 1);
    await deleted(ana);
    // The call is refused: the subscription may live on.
    await payments.settle();
    expect(await erasing(ana)).toBe(provider.living({ userId: ana.id, coachId: coach.id }).length === 0);
    billing.clock.advance(60 * 60_000);
    await payments.reconcile();
    await payments.settle();
    expect(provider.living({ userId: ana.id, coachId: coach.id })).toEqual([]);
    await ask(ana);
    await untilErased(ana);
    expect(provider.subscriptions.get(paid)!.status).toBe('cancelled');
    expect(await billing.rows('SELECT name, username FROM known_users WHERE id = $1', [ana.id])).toEqual([
      { name: '', username: '' },
    ]);
    expect(
      await billing.rows('SELECT provider_subscription_id AS id FROM subscriptions WHERE user_id = $1', [
        ana.id,
      ]),
    ).toEqual([{ id: paid }]);
    expect(await billing.rows('SELECT FROM provider_customers WHERE user_id = $1', [ana.id])).toHaveLength(1);
  });

  it('as a coach ends all subscriptions at the provider first, and what is not used is paid back', async () => {
    const { ana, coach, paid } = await payments.couple();
    billing.clock.advance(MONTH_MS / 2);
    await billing.service.tell(erasureTopic, { userId: coach.id, version: (asked += 1), requestedAt: 1 });
    expect((await acknowledgement(coach))?.erasedAt).toBeUndefined();
    await deleted(coach);
    await payments.settle();
    billing.clock.advance(60_000);
    await billing.service.get(EraseUsers).execute();
    await untilErased(coach);
    expect(provider.living({ userId: ana.id, coachId: coach.id })).toEqual([]);
    expect(provider.keptMinor(paid)).toBe(20_000);
  });

  it('waits for a call whose outcome nobody knows', async () => {
    const { ana } = await payments.couple();
    await deleted(ana);
    await payments.settle();
    await billing.service.tamper(
      `UPDATE foreign_calls SET state = 'pending', ending = NULL, due_at = now() + interval '1 day', ended_at = NULL
       WHERE kind = 'cancelNow' AND caller IN (
         SELECT 'provider-subscription:' || provider_subscription_id FROM provider_endings WHERE user_id = $1)`,
      [ana.id],
    );
    expect(await erasing(ana)).toBe(false);
    await payments.settle();
    expect(await erasing(ana)).toBe(true);
  });

  it('who never paid is acknowledged at once', async () => {
    const [ana, coach] = [await billing.person(), await billing.coach()];
    await billing.intent(coach, 1, 0);
    await billing.subscribe(ana, coach);
    await deleted(ana);
    await ask(ana);
    await untilErased(ana);
    expect(billing.service.deliveredState(subscriptionTopic, `${ana.id}_${coach.id}`)).toMatchObject({
      active: false,
    });
  });
});

// Rule: ACCT-34
it('a late state of an erased user does not bring the name back', async () => {
  const ana = await billing.person();
  await deleted(ana);
  await ask(ana);
  await untilErased(ana);
  await billing.change(ana, { status: ACTIVE, name: 'Ana again' });
  expect(await billing.rows('SELECT status, name FROM known_users WHERE id = $1', [ana.id])).toEqual([
    { status: 'deleted', name: '' },
  ]);
});
