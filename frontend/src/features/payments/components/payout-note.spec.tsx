import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { StripeStatus } from '../../../api/types.js';
import { forgetOnboarding, hasNotedOnboarding, noteOnboarding } from '../onboarding-note.js';
import { PayoutNote } from './payout-note.js';

const STATUS = 'GET /api/stripe/status';
const MISSING = 'Stripe still needs some details from you before you can be paid.';
const READY = 'Payouts are set up.';

let gateway: FakeGateway;
let payouts: StripeStatus['payouts'];
beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('GET /api/config', () => ({ payments: 'stripe' }));
  gateway.on(STATUS, () => ({ paymentDueBy: null, payouts }));
});
afterEach(() => {
  jest.useRealTimers();
  cleanup();
  forgetOnboarding();
});

const show = () => render(<PayoutNote coach={{ id: 'ana' }} />, { wrapper: aPageAround().wrapper });
const reads = () => gateway.calls.filter((call) => call === STATUS).length;
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

// Rule: SUBS-19
it('a coach who comes back from the form is told when payouts are set up', async () => {
  jest.useFakeTimers();
  payouts = 'started';
  noteOnboarding('ana');
  show();
  await pass(100);
  expect(screen.getByText(MISSING)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Finish setting up payouts' })).toBeTruthy();
  payouts = 'ready';
  await pass(3000);
  expect(screen.getByText(READY)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  expect(hasNotedOnboarding('ana')).toBe(false);
  const before = reads();
  await pass(60_000);
  expect(reads()).toBe(before);
});

it('what does not change is looked at for some seconds alone', async () => {
  jest.useFakeTimers();
  payouts = 'started';
  noteOnboarding('ana');
  show();
  await pass(60_000);
  const before = reads();
  expect(before).toBeGreaterThan(2);
  await pass(60_000);
  expect(reads()).toBe(before);
  expect(screen.getByText(MISSING)).toBeTruthy();
});

it.each<[StripeStatus['payouts'], number]>([
  ['none', 0],
  ['started', 1],
  ['ready', 0],
])('of payouts that are "%s" others read %i lines, and it is read once', async (state, lines) => {
  jest.useFakeTimers();
  payouts = state;
  show();
  await pass(20_000);
  expect(screen.queryAllByText(/details|Payouts are/)).toHaveLength(lines);
  expect(reads()).toBe(1);
});

it('nothing is asked where nobody takes payments', async () => {
  gateway.on('GET /api/config', () => ({ payments: 'none' }));
  show();
  await waitFor(() => expect(gateway.calls).toEqual(['GET /api/config']));
  await act(() => Promise.resolve());
  expect(reads()).toBe(0);
});
