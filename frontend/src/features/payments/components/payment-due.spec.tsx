import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aSubscription } from '../../../../test/a-subscription.js';
import { comeBack } from '../../../../test/come-back.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { StripeStatus } from '../../../api/types.js';
import { emitLive } from '../../../server/live/live-events.js';
import { PaymentDue } from './payment-due.js';

const CONFIG = 'GET /api/config';
const STATUS = 'GET /api/stripe/status';
const TEXT = 'A payment for your subscriptions failed. You keep access until December 24, 2099.';
const DUE: StripeStatus = { paymentDueBy: '2099-12-24T10:00:00.000Z', payouts: 'none' };
const WELL: StripeStatus = { paymentDueBy: null, payouts: 'none' };

let gateway: FakeGateway;
let status: StripeStatus;
beforeEach(() => {
  status = DUE;
  gateway = fakeGateway();
  gateway.on(CONFIG, () => ({ payments: 'stripe' }));
  gateway.on(STATUS, () => status);
});
afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

const show = () => render(<PaymentDue />, { wrapper: aPageAround().wrapper });
const reads = () => gateway.calls.filter((call) => call === STATUS).length;
const focus = () => act(() => void window.dispatchEvent(new Event('focus')));
const event = () => act(() => emitLive({ type: 'subscription', data: aSubscription() }));
const reload = () => act(() => emitLive({ type: 'reload' }));

// Rule: SUBS-33
it('a payment that failed is told with its date, and leads to the payer’s portal', async () => {
  gateway.on('POST /api/stripe/billing/portal', () => ({ url: '#portal' }));
  show();
  expect((await screen.findByText(TEXT)).closest('[role="status"]')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Update payment method' }));
  await waitFor(() => expect(location.hash).toBe('#portal'));
});

it.each([
  ['the focus of the window', focus],
  ['Back from the portal', comeBack],
  ['the event of a subscription', event],
  ['a reload of what may have been missed', reload],
])('it goes with %s when it is paid', async (_when, happens) => {
  show();
  await screen.findByText(TEXT);
  status = WELL;
  happens();
  await waitFor(() => expect(screen.queryByText(TEXT)).toBeNull());
});

it('an event brings it; the focus alone asks for nothing while nothing is open', async () => {
  status = WELL;
  show();
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(''));
  focus();
  expect(reads()).toBe(1);
  status = DUE;
  event();
  expect(await screen.findByText(TEXT)).toBeTruthy();
});

it('nothing is asked where nobody takes payments', async () => {
  gateway.on(CONFIG, () => ({ payments: 'none' }));
  show();
  await waitFor(() => expect(gateway.calls).toEqual([CONFIG]));
  event();
  focus();
  expect(gateway.calls).toEqual([CONFIG]);
  expect(screen.queryByRole('status')).toBeNull();
});
