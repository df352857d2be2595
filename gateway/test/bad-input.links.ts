import type { Call } from './bad-input.calls.js';
import { email, password, required, someId } from './bad-input.fields.js';

const TOKEN = '3mJr0Qd7Y1mP9sK2vX8wA5tB6nC4zE0hL7uF1gR9oIc';

/** Calls with the token of a mailed link, those that ask for one, and the change of a password. */
export const LINK_CALLS: readonly Call[] = [
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
];
