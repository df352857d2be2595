import type { Call } from './bad-input.calls.js';
import { PASSKEY_CALLS } from './bad-input.passkeys.js';
import { email, password, required, someId } from './bad-input.fields.js';

const TOKEN = '3mJr0Qd7Y1mP9sK2vX8wA5tB6nC4zE0hL7uF1gR9oIc';

/** The calls of sessions, passwords and links, but the sign-up. */
export const AUTH_CALLS: readonly Call[] = [
  {
    method: 'POST',
    path: () => '/api/auth/login',
    access: 'public',
    body: {
      valid: { email: 'new@example.com', password: 'a long sentence' },
      fields: { email: required(email), password: required(password) },
    },
  },
  { method: 'POST', path: () => '/api/auth/refresh', access: 'public' },
  { method: 'POST', path: () => '/api/auth/logout', access: 'public' },
  { method: 'GET', path: () => '/api/auth/password-policy', access: 'public' },
  { method: 'GET', path: () => '/api/auth/google/start', access: 'public' },
  { method: 'GET', path: () => '/api/auth/google/callback', access: 'public' },
  {
    method: 'POST',
    path: () => '/api/auth/password/forgot',
    access: 'public',
    body: { valid: { email: 'new@example.com' }, fields: { email: required(email) } },
  },
  {
    method: 'POST',
    path: () => '/api/auth/password/reset',
    access: 'public',
    body: {
      valid: { token: TOKEN, password: 'a long sentence' },
      fields: { token: required(someId), password: required(password) },
    },
  },
  {
    method: 'POST',
    path: () => '/api/auth/password/change',
    access: 'private',
    body: {
      valid: { currentPassword: 'not the present one', password: 'a long sentence' },
      fields: { currentPassword: password, password: required(password) },
    },
  },
  {
    method: 'POST',
    path: () => '/api/auth/email/verify',
    access: 'public',
    body: { valid: { token: TOKEN }, fields: { token: required(someId) } },
  },
  { method: 'POST', path: () => '/api/auth/email/resend', access: 'private' },
  ...PASSKEY_CALLS,
  ...(['GET', 'DELETE'] as const).map((method): Call => ({
    method,
    path: () => '/api/auth/sessions',
    access: 'private',
  })),
  {
    method: 'DELETE',
    path: ({ sessionId }) => `/api/auth/sessions/${sessionId}`,
    access: 'private',
    badIds: (id) => `/api/auth/sessions/${id}`,
  },
];
