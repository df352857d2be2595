import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { comeBack } from '../../../../test/come-back.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { forgetOnboarding, hasNotedOnboarding } from '../onboarding-note.js';
import { PayoutButtons, PortalButton } from './payment-buttons.js';

const CONFIG = 'GET /api/config';
const ACCOUNT = 'POST /api/stripe/connect/create-account';
const ONBOARDING = 'POST /api/stripe/connect/onboarding-link';
const DASHBOARD = 'POST /api/stripe/connect/dashboard-link';
const STATUS = 'GET /api/stripe/status';
const PORTAL = 'POST /api/stripe/billing/portal';

let gateway: FakeGateway;
let bodies: unknown[];
beforeEach(() => {
  bodies = [];
  gateway = fakeGateway();
  gateway.on(CONFIG, () => ({ payments: 'stripe' }));
  history.replaceState(null, '', '/profile');
});
afterEach(() => {
  cleanup();
  act(clearFeedback);
  history.replaceState(null, '', '/');
  forgetOnboarding();
});

const page = (url: string) => async (request: Request) => {
  bodies.push(await request.json());
  return { url };
};
const show = (buttons: ReactElement) => render(buttons, { wrapper: aPageAround().wrapper });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const told = () => getFeedback().toasts.map(({ message }) => message);
const asked = () => gateway.calls.filter((call) => call !== CONFIG && call !== STATUS);

/** Back, as the browser tells of it: the button is not left busy. */
async function comesBack(name: string) {
  const button = screen.getByRole('button', { name });
  expect(button.getAttribute('aria-busy')).toBe('true');
  comeBack();
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'));
}

const coach = <PayoutButtons coach={{ id: 'ana' }} />;

it.each([coach, <PortalButton key="portal" />])('there are none without a provider', async (buttons) => {
  gateway.on(CONFIG, () => ({ payments: 'none' }));
  show(buttons);
  await waitFor(() => expect(gateway.calls).toEqual([CONFIG]));
  expect(screen.queryByRole('button')).toBeNull();
});

// Rule: SUBS-19
describe('Set up payouts', () => {
  it('makes the account, and leads to the provider’s form, which leads to the dashboard', async () => {
    gateway.on(ACCOUNT, async (request) => {
      bodies.push(await request.json());
      return { accountId: 'acct_1' };
    });
    gateway.on(ONBOARDING, page('#form'));
    show(coach);
    await press('Set up payouts');
    await press('Set up payouts');
    await waitFor(() => expect(location.hash).toBe('#form'));
    expect(asked()).toEqual([ACCOUNT, ONBOARDING]);
    const dashboard = `${location.origin}/dashboard`;
    expect(bodies).toEqual([{ uid: 'ana' }, { uid: 'ana', refresh_url: dashboard, return_url: dashboard }]);
    expect(hasNotedOnboarding('ana')).toBe(true);
    await comesBack('Set up payouts');
  });

  it.each([
    ['none', ['Set up payouts'], []],
    [
      'started',
      ['Finish setting up payouts'],
      ['Stripe still needs some details from you before you can be paid.'],
    ],
    ['ready', [], ['Payouts are set up.']],
  ])('of payouts that are "%s"', async (payouts, buttons, notes) => {
    gateway.on(STATUS, () => ({ paymentDueBy: null, payouts }));
    show(coach);
    const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
    await screen.findByRole('button', { name: 'Open Billing Portal' });
    await waitFor(() => expect(names()).toEqual([...buttons, 'Open Billing Portal']));
    expect(screen.queryAllByText(/payouts are|details/i).map(({ textContent }) => textContent)).toEqual(
      notes,
    );
  });

  // Rule: UI-37
  it.each([
    [500, 'internal', 'Failed to set up payouts. Please try again.'],
    [503, 'unavailable', 'Failed to set up payouts. Please try again.'],
    [503, 'outcome-unknown', 'The payment service has not answered in time. Please try again in a moment.'],
  ])('that fails (%s %s) says so', async (status, code, message) => {
    gateway.on(ACCOUNT, () => problem(status, code));
    show(coach);
    await press('Set up payouts');
    await waitFor(() => expect(told()).toEqual([message]));
    expect(asked()).toEqual([ACCOUNT]);
  });
});

// Rule: SUBS-20
describe('Open Billing Portal', () => {
  it('of a payer leads to the provider’s page, and back to where it was pressed', async () => {
    gateway.on(PORTAL, page('#portal'));
    show(<PortalButton />);
    const here = location.href;
    await press('Open Billing Portal');
    await waitFor(() => expect(location.hash).toBe('#portal'));
    expect([asked(), bodies]).toEqual([[PORTAL], [{ return_url: here }]]);
    await comesBack('Open Billing Portal');
  });

  it('of who has paid for nothing yet says so', async () => {
    gateway.on(PORTAL, () => problem(422, 'no-billing-account'));
    show(<PortalButton />);
    await press('Open Billing Portal');
    await waitFor(() => expect(told()).toEqual(['You have not paid for a subscription yet.']));
  });

  it('on a coach’s own profile leads to the dashboard of payouts', async () => {
    gateway.on(DASHBOARD, page('#payouts'));
    show(coach);
    await press('Open Billing Portal');
    await waitFor(() => expect(location.hash).toBe('#payouts'));
    expect(asked()).toEqual([DASHBOARD]);
    await comesBack('Open Billing Portal');
  });

  it.each(['no-billing-account', 'coach-not-ready'])(
    'of a coach without one (%s) leads to the payer’s page',
    async (code) => {
      gateway.on(DASHBOARD, () => problem(422, code));
      gateway.on(PORTAL, page('#portal'));
      show(coach);
      await press('Open Billing Portal');
      await waitFor(() => expect(location.hash).toBe('#portal'));
      await comesBack('Open Billing Portal');
    },
  );

  it('of a coach whom the provider does not know says what to do', async () => {
    gateway.on(DASHBOARD, () => problem(422, 'no-billing-account'));
    gateway.on(PORTAL, () => problem(422, 'no-billing-account'));
    show(coach);
    await press('Open Billing Portal');
    await waitFor(() => expect(told()).toEqual(['Please set up payouts first.']));
  });

  // Rule: UI-37
  it('that fails says so, and asks for nothing else', async () => {
    gateway.on(DASHBOARD, () => problem(503, 'unavailable'));
    show(coach);
    await press('Open Billing Portal');
    await waitFor(() => expect(told()).toEqual(['Failed to open the billing portal. Please try again.']));
    expect(asked()).toEqual([DASHBOARD]);
  });
});
