import { HandleProviderEvents } from '../src/provider-events/handle-provider-events.js';
import { ReconcileNightly } from '../src/reconcile/reconcile-nightly.js';
import type { FakeProvider } from './support/fake-provider.js';
import { Payments } from './support/payments.js';
import { type Billing, outcome } from './start.js';

let billing: Billing;
let provider: FakeProvider;
let payments: Payments;
beforeAll(async () => ({ billing, provider, payments } = await Payments.start()));
afterAll(() => billing?.stop());

const json = async (name: string, ...words: string[]) =>
  (await billing.command(name, ...words, '--json')).map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );

// Rule: SUBS-17
it('inbox shows failures first, and sync handles one again or reads a customer', async () => {
  const { customer, paid } = await payments.couple();
  provider.setEnding(paid, true);
  const [lost] = provider.takeEvents();
  const [ana, coach] = [await billing.person(), await billing.coach()];
  provider.subscribe(await payments.customer(ana), coach.id);
  const [event] = provider.takeEvents();
  provider.failNext('subscriptionsOf', 'unknown');
  await payments.take([event!]);
  await billing.service.get(HandleProviderEvents).execute();
  const [first] = await json('inbox', '--limit', '1');
  expect(first).toMatchObject({ id: event!.id, handled: null, attempts: 1, failure: expect.any(String) });
  expect(await billing.command('sync', event!.id)).toEqual([`${event!.id} handled.`]);
  expect((await billing.get(ana, coach)).givesAccess).toBe(true);
  expect((await json('inbox')).find(({ id }) => id === event!.id)).toMatchObject({ failure: null });

  expect(await outcome(billing.command('sync', lost!.id))).toBe('not-found not-found');
  expect(await json('sync', '--customer', customer)).toEqual([
    expect.objectContaining({ before: 'active', after: 'active', ended: '' }),
  ]);
  expect(await billing.command('sync', '--customer', customer)).toEqual(['Nothing differed.']);
  await expect(billing.command('sync')).rejects.toThrow('Give an event id or --customer');
});

// Rule: SUBS-18
it('reconcile only tells what differs, and writes it with --apply', async () => {
  const { ana, coach, paid } = await payments.couple();
  provider.setEnding(paid, true);
  provider.takeEvents();
  const dry = await billing.command('reconcile');
  expect(dry.at(-1)).toBe('Nothing is changed: repeat it with --apply.');
  expect((await billing.get(ana, coach)).cancelAtPeriodEnd).toBe(false);
  expect(await json('reconcile', '--apply')).toEqual([
    expect.objectContaining({ userId: ana.id, what: 'terms' }),
  ]);
  expect((await billing.get(ana, coach)).cancelAtPeriodEnd).toBe(true);
  expect((await billing.command('reconcile'))[0]).toBe('Nothing differs.');
});

// Rule: SUBS-18
it('a command says in one line that the provider fails, and changes nothing', async () => {
  const { ana, coach, customer } = await payments.couple();
  const commands = [
    ['liveSubscriptions', ['reconcile', '--apply']],
    ['subscriptionsOf', ['sync', '--customer', customer]],
    [
      'subscriptionsOf',
      ['refund', ana.username, coach.id, '--amount', '1', '--reason', 'asked for it', '--apply'],
    ],
  ] as const;
  for (const [asked, [name, ...words]] of commands) {
    provider.failNext(asked, 'unknown');
    await expect(billing.command(name, ...words)).rejects.toMatchObject({
      code: 'unavailable',
      message: `The payment provider has not done its part: ${asked} fails as the test asks`,
    });
  }
  expect((await billing.get(ana, coach)).givesAccess).toBe(true);
  expect(provider.refunds).toEqual([]);
});

it('refund says what it would do, pays back with --apply, never more than was paid, and is recorded', async () => {
  const { ana, coach, paid } = await payments.couple();
  const refund = (amount: string, ...more: string[]) =>
    billing.command(
      'refund',
      ana.username,
      coach.id,
      '--amount',
      amount,
      '--reason',
      'asked for it',
      ...more,
    );
  expect((await refund('150.50')).at(-1)).toBe('Nothing is changed: repeat it with --apply.');
  expect(provider.keptMinor(paid)).toBe(40_000);
  await refund('150.50', '--apply', '--by', 'mo');
  // Ordered and not made yet: it counts.
  expect(await outcome(refund('249.51', '--apply'))).toBe('unprocessable unprocessable');
  await payments.settle();
  expect(provider.keptMinor(paid)).toBe(24_950);
  await refund('249.50', '--apply', '--by', 'mo');
  await payments.settle();
  expect(provider.keptMinor(paid)).toBe(0);
  expect(await outcome(refund('0.01', '--apply'))).toBe('unprocessable unprocessable');
  expect((await json('audit'))[0]).toMatchObject({ by: 'mo', command: 'refund', reason: 'asked for it' });
  expect((await billing.get(ana, coach)).givesAccess).toBe(true);
  await expect(refund('1,50')).rejects.toThrow('--amount must be an amount');
  const other = await billing.coach();
  expect(await outcome(billing.command('refund', ana.id, other.id, '--amount', '1', '--reason', 'x'))).toBe(
    'not-found not-found',
  );
});

it('a refund that the provider refuses is named until an operator says that it is settled', async () => {
  const { ana, coach } = await payments.couple();
  const refund = ['refund', ana.username, coach.id, '--amount', '1', '--reason', 'asked for it', '--apply'];
  provider.failNext('refund', 'refused');
  await billing.command(...(refund as [string, ...string[]]));
  await payments.settle();
  await billing.command(...(refund as [string, ...string[]]));
  await payments.settle();
  const doctor = async () => (await json('doctor')).find(({ what }) => what === 'refunds')!;
  expect(await doctor()).toMatchObject({ state: 'look', detail: expect.stringMatching(/^1 refused/) });
  const [listed, ...others] = await json('refunds');
  expect([listed, others]).toEqual([
    expect.objectContaining({ amount: '1.00 MXN', reason: 'asked for it', state: 'refused', settled: null }),
    [],
  ]);
  expect((await json('refunds', '--all')).map(({ state }) => state)).toEqual(
    expect.arrayContaining(['paid', 'refused']),
  );
  const id = String(listed!['id']);
  const settle = (which: string, ...more: string[]) =>
    billing.command('settle-refund', which, '--reason', 'paid in the dashboard', ...more);
  expect((await settle(id)).at(-1)).toBe('Nothing is changed: repeat it with --apply.');
  expect((await doctor())['state']).toBe('look');
  await settle(id, '--apply', '--by', 'mo');
  expect(await doctor()).toMatchObject({ state: 'good', detail: expect.stringMatching(/^0 refused/) });
  expect(await billing.command('refunds')).toEqual(['No refunds.']);
  expect((await json('audit'))[0]).toMatchObject({
    ...{ by: 'mo', command: 'settle-refund', subject: id, reason: 'paid in the dashboard' },
    outcome: expect.stringContaining('1.00 MXN of pay_'),
  });
  expect(await outcome(settle(id, '--apply'))).toBe('conflict conflict');
  const paid = (await json('refunds', '--all')).find(({ state }) => state === 'paid')!;
  expect(await outcome(settle(String(paid['id']), '--apply'))).toBe('conflict conflict');
  expect(await outcome(settle('no-id', '--apply'))).toBe('not-found not-found');
});

// Rule: SUBS-12
it('a revoked subscription ends at the provider, and what an operator has paid back is not paid back again', async () => {
  const { ana, coach, paid } = await payments.couple();
  const pair = [ana.id, coach.id] as const;
  await billing.command('refund', ...pair, '--amount', '400', '--reason', 'fraud', '--apply');
  await billing.command('revoke', ...pair, '--reason', 'fraud', '--apply');
  await payments.settle();
  expect(provider.living({ userId: ana.id, coachId: coach.id })).toEqual([]);
  expect(await payments.refunds(paid)).toHaveLength(1);
});

it('prices lists what the provider knows', async () => {
  const coach = await billing.coach();
  await billing.intent(coach, 1, 30_000);
  await billing.intent(coach, 2, 40_000);
  const rows = await json('prices', '--coach', coach.username);
  expect(rows).toMatchObject([
    { coach: coach.username, price: '400.00 MXN', present: true, provider: null },
    { price: '300.00 MXN', present: false },
  ]);
});

it('doctor tells what payments lack', async () => {
  await payments.reconcile();
  await payments.tellAll();
  const stateOf = async () => new Map((await json('doctor')).map(({ what, state }) => [what, state]));
  // The job may have made the comparison of this night already.
  await billing.rows('DELETE FROM reconciliations');
  const before = await stateOf();
  expect([...before.keys()]).toEqual([
    'payments',
    'webhooks',
    'inbox',
    'calls',
    'refunds',
    'disputes',
    'endings',
    'comparison',
  ]);
  expect([before.get('inbox'), before.get('calls'), before.get('comparison')]).toEqual([
    'good',
    'good',
    'look',
  ]);
  const [ana, coach] = [await billing.person(), await billing.coach()];
  provider.subscribe(await payments.customer(ana), coach.id);
  provider.failNext('subscriptionsOf', 'unknown');
  await payments.take(provider.takeEvents());
  await billing.service.get(HandleProviderEvents).execute();
  expect((await stateOf()).get('inbox')).toBe('look');
});

// Rule: SUBS-18
it('the comparison of a night is made once, and again where it has failed', async () => {
  await payments.settle();
  const nightly = billing.service.get(ReconcileNightly);
  const run = () => nightly.execute(new AbortController().signal);
  await billing.rows('DELETE FROM reconciliations');
  provider.failNext('liveSubscriptions', 'unknown');
  await expect(run()).rejects.toThrow('liveSubscriptions fails');
  const asked = () => provider.asked.get('liveSubscriptions') ?? 0;
  const before = asked();
  await run();
  expect(asked()).toBe(before);
  billing.clock.advance(11 * 60_000);
  await Promise.all([run(), run()]);
  await run();
  expect(asked()).toBe(before + 1);
  billing.clock.advance(24 * 60 * 60_000);
  await run();
  expect(asked()).toBe(before + 2);
  const states = new Map((await json('doctor')).map(({ what, state }) => [what, state]));
  expect(states.get('comparison')).toBe('good');
});
