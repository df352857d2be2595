import { PayoutState } from '@pulso/contracts/billing/v1/billing';
import { loadConfig } from '@pulso/platform/process/load-config';
import { settingsFrom } from '@pulso/platform/process/settings';
import { z } from 'zod';
import { BillingSettings } from '../src/settings.js';
import { providerOf } from '../src/stripe/provider-of.js';
import { SimulatedPayments } from './chaos/simulated-payments.js';
import { outcome, type Person } from './start.js';

const { PAYOUT_STATE_NONE: NONE, PAYOUT_STATE_STARTED: STARTED, PAYOUT_STATE_READY: READY } = PayoutState;
const BACK = 'https://pulso.example/dashboard';
const V2 = { STRIPE_ACCOUNTS: 'v2', STRIPE_ACCOUNTS_COUNTRY: 'MX' };

/** The interface of accounts, the charges, the settings. */
const TABLE = [
  ['v1', 'destination', {}],
  ['v1', 'direct', {}],
  ['v2', 'destination', V2],
  ['v2', 'direct', V2],
] as const;

// Rule: SUBS-16, SUBS-19, SUBS-20
describe.each(TABLE)('with accounts by %s and %s charges', (accounts, charges, settings) => {
  let payments: SimulatedPayments;
  beforeAll(async () => {
    payments = await SimulatedPayments.start({ ...settings, STRIPE_CHARGES: charges });
  }, 60_000);
  afterAll(() => payments?.stop());

  const payoutsOf = async (coach: Person) =>
    (await payments.billing.as(coach, (client) => client.getPaymentStatus({}))).payouts;
  const onboardingPage = async (coach: Person) =>
    (
      await payments.billing.as(coach, (client) =>
        client.openOnboarding({ refreshUrl: `${BACK}?again`, returnUrl: BACK }),
      )
    ).url;
  const dashboardOf = (coach: Person) =>
    payments.billing.as(coach, (client) => client.openPayoutDashboard({ returnUrl: BACK }));

  it('a coach sets up payouts on Stripe’s page, is told so by its event, sees the payouts and is paid', async () => {
    const { billing, simulator } = payments;
    const carla = await billing.coach();
    await billing.intent(carla, 1, 40_000);
    expect(await payoutsOf(carla)).toBe(NONE);
    const link = await onboardingPage(carla);
    expect(await payoutsOf(carla)).toBe(STARTED);
    expect(await outcome(dashboardOf(carla))).toBe('unprocessable coach-not-ready');
    const ana = await billing.person();
    expect(await outcome(payments.checkout(ana, carla))).toBe('unprocessable coach-not-ready');

    const form = await fetch(link);
    expect(await form.text()).toContain('Get paid through Stripe');
    const done = await fetch(form.url, { method: 'POST', redirect: 'manual' });
    expect(done.headers.get('location')).toBe(BACK);
    await payments.atRest();
    expect(await payoutsOf(carla)).toBe(READY);
    const events = await billing.rows<{ type: string; handled: boolean }>(
      'SELECT DISTINCT type, handled_at IS NOT NULL AS handled FROM provider_events WHERE account_id IS NOT NULL',
    );
    expect(events.map(({ type, handled }) => [type.split(/[.[]/)[0], handled])).toEqual(
      accounts === 'v1' ? [['account', true]] : [1, 2, 3].map(() => ['v2', true]),
    );
    expect(await (await fetch((await dashboardOf(carla)).url)).text()).toContain('Express dashboard');

    await payments.pay(ana, carla);
    expect((await billing.get(ana, carla)).givesAccess).toBe(true);
    const { data } = await simulator.stripe.accounts.list();
    expect(data.map(({ metadata }) => metadata?.['pulso_coach'])).toEqual([carla.id]);
  });

  it('what Stripe takes back is read again', async () => {
    const carla = await payments.seller();
    expect(await payoutsOf(carla)).toBe(READY);
    const { accountId } = await payments.billing.as(carla, (client) => client.openPayoutAccount({}));
    await payments.simulator.control(`accounts/${accountId}/onboard`, { ready: false });
    await payments.atRest();
    expect(await payoutsOf(carla)).toBe(STARTED);
  });

  it('an account is made once, and found again where Stripe has failed behind it', async () => {
    const { billing, simulator } = payments;
    const path = accounts === 'v1' ? '/v1/accounts' : '/v2/core/accounts';
    await simulator.control('faults', { kind: 'status', status: 500, after: true, method: 'POST', path });
    const carla = await billing.coach();
    // Nobody knows yet: the recovery of calls looks at Stripe, and finds it.
    await expect(onboardingPage(carla)).rejects.toMatchObject({ code: 'outcome-unknown' });
    await payments.atRest();
    await onboardingPage(carla);
    const state = await fetch(`${simulator.url}/_control/api/state`);
    expect(await state.json()).toMatchObject({ faults: [] });
    const { data } = await simulator.stripe.accounts.list({ limit: 100 });
    expect(data.filter(({ metadata }) => metadata?.['pulso_coach'] === carla.id)).toHaveLength(1);
  });
});

const settingsOf = (env: Record<string, string>) =>
  settingsFrom(BillingSettings, loadConfig(z.object(BillingSettings.shape), env)) as BillingSettings;
const limit = () => AbortSignal.timeout(10_000);

// Rule: SUBS-16
describe.each([
  [{}, V2],
  [V2, {}],
])('after a change of STRIPE_ACCOUNTS (%j before, %j now)', (before, now) => {
  it('a coach who has begun under the one goes on under the other', async () => {
    const payments = await SimulatedPayments.start(before);
    try {
      const { billing, simulator } = payments;
      const carla = await billing.coach();
      const { accountId } = await billing.as(carla, (client) => client.openPayoutAccount({}));
      const later = providerOf(settingsOf({ ...simulator.settings, ...now }), billing.clock);
      const isReady = async () => (await later.account(accountId, limit())).isReady;
      const to = { accountId, refreshUrl: BACK, returnUrl: BACK };
      // A new account of v1 is not v2's for some minutes.
      for (const ms of [0, 11 * 60_000]) {
        await simulator.control('clock', { ms });
        const page = await fetch(await later.openOnboarding(to, limit()));
        expect(await page.text()).toContain('Get paid through Stripe');
        for (const ready of [false, true]) {
          await simulator.control(`accounts/${accountId}/onboard`, { ready });
          expect(await isReady()).toBe(ready);
        }
      }
    } finally {
      await payments.stop();
    }
  }, 60_000);
});
