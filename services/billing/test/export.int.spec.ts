import { everythingHeld, sectionsThatSkip, tablesLeftOut } from '@pulso/platform/testing/exported';
import { EXPORTED, ExportedRows } from '../src/store/exported-rows.js';
import { Payments } from './support/payments.js';
import type { Billing, Person } from './start.js';

let billing: Billing;
let payments: Payments;
beforeAll(async () => ({ billing, payments } = await Payments.start()));
afterAll(() => billing?.stop());

const heldOf = (person: Person) =>
  everythingHeld((request) => billing.as(person, (client) => client.exportUser(request)));

// Rule: ACCT-35
it('billing tells a subscriber and a coach their sides of a subscription', async () => {
  const { ana, coach } = await payments.couple();
  const ofAna = await heldOf(ana);
  expect(ofAna['subscriptions']).toEqual([expect.objectContaining({ coachId: coach.id, status: 'active' })]);
  expect(ofAna['providerCustomers']).toHaveLength(1);
  expect(ofAna['subscribers']).toBeUndefined();
  const ofCoach = await heldOf(coach);
  expect(ofCoach['subscribers']).toEqual([expect.objectContaining({ userId: ana.id, status: 'active' })]);
  expect(ofCoach['subscriptions']).toBeUndefined();
  // The ids by which the provider knows the subscriber are not the coach's.
  const customer = ofAna['providerCustomers']![0]!['customerId'] as string;
  expect(JSON.stringify(ofCoach)).not.toContain(customer);
  for (const { id } of [ana, coach])
    expect(await sectionsThatSkip(billing.service.get(ExportedRows).sections, id)).toEqual([]);
});

// Whoever adds a table with rows of users exports them, or says here why not.
it('no table of users is forgotten', async () => {
  expect(
    await tablesLeftOut(EXPORTED, (query, parameters) => billing.service.rows(query, parameters)),
  ).toEqual([
    // A count, and orders that are worked off in seconds.
    'coach_counts',
    'endings',
  ]);
});
