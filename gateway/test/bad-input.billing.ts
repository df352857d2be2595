import { address, choice, minorUnits, name, required, someId } from './bad-input.fields.js';
import type { Call } from './bad-input.calls.js';

const OTHER_ID = '0198f2a9-01f4-7d52-8a3c-6e0b9d4f2c18';
/** No address of any Pulso: it is refused, too, but after the fields. */
const PAGE = 'https://elsewhere.example/dashboard';

/** The calls of subscriptions and billing. */
export const BILLING_CALLS: Call[] = [
  { method: 'GET', path: () => '/api/subscriptions', access: 'private', paged: true },
  {
    method: 'PUT',
    path: ({ userId }) => `/api/subscriptions/${userId}`,
    access: 'private',
    idempotent: true,
    badIds: (id) => `/api/subscriptions/${id}`,
  },
  {
    method: 'DELETE',
    path: ({ userId }) => `/api/subscriptions/${userId}`,
    access: 'private',
    badIds: (id) => `/api/subscriptions/${id}`,
  },
  { method: 'GET', path: () => '/api/dashboard', access: 'private', paged: true },
  { method: 'GET', path: () => '/api/stripe/status', access: 'private' },
  {
    method: 'POST',
    path: () => '/api/stripe/checkout/create',
    access: 'private',
    body: {
      valid: { coachUid: OTHER_ID, success_url: PAGE, cancel_url: PAGE },
      fields: { coachUid: required(someId), success_url: required(address), cancel_url: required(address) },
    },
  },
  {
    method: 'POST',
    path: () => '/api/stripe/prices/lazy-create',
    access: 'private',
    body: {
      valid: {
        coachUid: OTHER_ID,
        unitAmount: 40_000,
        currency: 'mxn',
        interval: 'month',
        coachName: 'Ana Torres',
      },
      fields: {
        coachUid: required(someId),
        unitAmount: required(minorUnits),
        currency: required(choice),
        interval: required(choice),
        coachName: name,
      },
    },
  },
  {
    method: 'POST',
    path: () => '/api/stripe/connect/create-account',
    access: 'private',
    body: { valid: { uid: OTHER_ID }, fields: { uid: required(someId) } },
  },
  {
    method: 'POST',
    path: () => '/api/stripe/connect/onboarding-link',
    access: 'private',
    body: {
      valid: { uid: OTHER_ID, refresh_url: PAGE, return_url: PAGE },
      fields: { uid: required(someId), refresh_url: required(address), return_url: required(address) },
    },
  },
  ...['billing/portal', 'connect/dashboard-link'].map((path): Call => ({
    method: 'POST',
    path: () => `/api/stripe/${path}`,
    access: 'private',
    body: { valid: { return_url: PAGE }, fields: { return_url: required(address) } },
  })),
  { method: 'POST', path: () => '/api/stripe/webhook', access: 'public', ignoresBody: true },
];
