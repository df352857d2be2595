import type { Call, Json } from './bad-input.calls.js';
import { type FieldCases, name, password, required, wrong } from './bad-input.fields.js';

/** A part of what an authenticator has signed, in base64url: whatever is in it, identity judges. */
const signedPart =
  (max: number): FieldCases =>
  () =>
    wrong(null, 1, true, {}, [], 'a'.repeat(max + 1));

const transports: FieldCases = () => [
  ...wrong(null, 1, true, {}, 'usb'),
  { name: 'with a number', value: [1], at: 'transports.0' },
  { name: 'with one too long', value: ['a'.repeat(33)], at: 'transports.0' },
  { name: 'of 11', value: Array.from({ length: 11 }, () => 'usb') },
];

const assertion = {
  valid: {
    id: 'q8Jm1vT0b7mWc3nZ',
    clientDataJSON: 'e30',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
    userHandle: 'AAAA',
  } satisfies Json,
  fields: {
    id: required(signedPart(1400)),
    clientDataJSON: required(signedPart(4096)),
    authenticatorData: required(signedPart(4096)),
    signature: required(signedPart(2048)),
    userHandle: signedPart(128),
  },
};

/** The calls of passkeys. That of a session is an id like any other. */
export const PASSKEY_CALLS: readonly Call[] = [
  { method: 'POST', path: () => '/api/auth/passkeys/login/options', access: 'public' },
  { method: 'POST', path: () => '/api/auth/passkeys/login', access: 'public', body: assertion },
  { method: 'GET', path: () => '/api/auth/passkeys', access: 'private' },
  {
    method: 'POST',
    path: () => '/api/auth/passkeys/options',
    access: 'private',
    body: { valid: { currentPassword: 'not the present one' }, fields: { currentPassword: password } },
  },
  {
    method: 'POST',
    path: () => '/api/auth/passkeys',
    access: 'private',
    body: {
      valid: {
        name: 'Phone',
        id: 'q8Jm1vT0b7mWc3nZ',
        clientDataJSON: 'e30',
        attestationObject: 'AAAA',
        transports: ['internal'],
      },
      fields: {
        name,
        id: required(signedPart(1400)),
        clientDataJSON: required(signedPart(4096)),
        attestationObject: required(signedPart(16_384)),
        transports,
      },
    },
  },
  { method: 'POST', path: () => '/api/auth/passkeys/confirm/options', access: 'private' },
  { method: 'POST', path: () => '/api/auth/passkeys/confirm', access: 'private', body: assertion },
  {
    method: 'PATCH',
    path: ({ sessionId }) => `/api/auth/passkeys/${sessionId}`,
    access: 'private',
    badIds: (id) => `/api/auth/passkeys/${id}`,
    body: { valid: { name: 'Phone' }, fields: { name } },
  },
  {
    method: 'DELETE',
    path: ({ sessionId }) => `/api/auth/passkeys/${sessionId}`,
    access: 'private',
    badIds: (id) => `/api/auth/passkeys/${id}`,
  },
];
