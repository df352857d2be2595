import { PASSKEYS, TEXT_LIMITS, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { z } from 'zod';
import { EXAMPLE } from '../openapi/examples.js';
import { time } from '../user-ref/user-ref.dto.js';
import { currentPassword, list, requiredText } from '../validation/fields.js';
import { answer, body } from '../validation/named-schemas.js';

const EXAMPLE_ID = 'q8Jm1vT0b7mWc3nZ';
const EXAMPLE_PART = 'eyJ0eXBlIjoid2ViYXV0aG4';
const name = requiredText(TEXT_LIMITS.name, VALIDATION_MESSAGES.required('name'));

/** Of the WebAuthn standard, in base64url: one that is malformed answers like one that is not right. */
const part = (max: number) => z.string().max(max);
/** A credential id has 1,023 bytes at most. */
const credentialId = part(1400);
const clientDataJSON = part(4096);

export class BeginPasskeyBody extends body(
  'BeginPasskey',
  z.strictObject({ currentPassword: currentPassword.optional() }),
  { currentPassword: 'a long sentence' },
) {}

export class NewPasskeyBody extends body(
  'NewPasskey',
  z.strictObject({
    name,
    id: credentialId,
    clientDataJSON,
    attestationObject: part(16_384),
    transports: list(z.string().max(32), VALIDATION_MESSAGES.transports, PASSKEYS.transports).default([]),
  }),
  {
    name: 'Phone',
    id: EXAMPLE_ID,
    clientDataJSON: EXAMPLE_PART,
    attestationObject: 'o2NmbXRkbm9uZQ',
    transports: ['internal', 'hybrid'],
  },
) {}

export class RenamePasskeyBody extends body('RenamePasskey', z.strictObject({ name }), { name: 'Phone' }) {}

export class PasskeyAssertionBody extends body(
  'PasskeyAssertion',
  z.strictObject({
    id: credentialId,
    clientDataJSON,
    authenticatorData: part(4096),
    signature: part(2048),
    userHandle: part(128).optional(),
  }),
  {
    id: EXAMPLE_ID,
    clientDataJSON: EXAMPLE_PART,
    authenticatorData: 'SZYN5YgOjGh0NBcP',
    signature: 'MEUCIQD1',
    userHandle: 'AZjypHwQez6dYT8qjF4bBw',
  },
) {}

const exampleCredential = {
  id: EXAMPLE_ID,
  type: 'public-key' as const,
  transports: ['internal', 'hybrid'],
};
const credentials = z.array(
  z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) }),
);

/** PublicKeyCredentialCreationOptionsJSON of WebAuthn, as far as Pulso uses it. */
export const passkeyCreationOptionsSchema = answer(
  'PasskeyCreationOptions',
  z
    .object({
      challenge: z.string(),
      rp: z.object({ id: z.string(), name: z.string() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
      timeout: z.int(),
      excludeCredentials: credentials,
      authenticatorSelection: z.object({
        residentKey: z.literal('required'),
        requireResidentKey: z.boolean(),
        userVerification: z.literal('required'),
      }),
      attestation: z.literal('none'),
      extensions: z.object({ credProps: z.boolean() }),
      hints: z.array(z.enum(['hybrid', 'security-key', 'client-device'])),
    })
    .meta({ description: 'What `PublicKeyCredential.parseCreationOptionsFromJSON` takes' }),
  {
    challenge: 'azEuWzE3NzcsInJhbmRvbSJd',
    rp: { id: 'pulso.example', name: 'Pulso' },
    user: { id: 'AZjypHwQez6dYT8qjF4bBw', name: 'ana@example.com', displayName: 'Ana Torres' },
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
    timeout: 300_000,
    excludeCredentials: [exampleCredential],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
    extensions: { credProps: true },
    hints: [],
  },
);

/** PublicKeyCredentialRequestOptionsJSON of WebAuthn, as far as Pulso uses it. */
export const passkeyRequestOptionsSchema = answer(
  'PasskeyRequestOptions',
  z
    .object({
      challenge: z.string(),
      rpId: z.string(),
      timeout: z.int(),
      allowCredentials: credentials.optional().meta({ description: 'Without it, any passkey will do' }),
      userVerification: z.literal('required'),
    })
    .meta({ description: 'What `PublicKeyCredential.parseRequestOptionsFromJSON` takes' }),
  {
    challenge: 'azEuWzE3NzcsInJhbmRvbSJd',
    rpId: 'pulso.example',
    timeout: 300_000,
    allowCredentials: [exampleCredential],
    userVerification: 'required',
  },
);

const examplePasskey = {
  id: EXAMPLE.passkeyId,
  name: 'Phone',
  createdAt: EXAMPLE.time,
  lastUsedAt: EXAMPLE.later,
  backedUp: true,
};

export const passkeySchema = answer(
  'Passkey',
  z.object({
    id: z.string(),
    name: z.string(),
    createdAt: time,
    lastUsedAt: time.nullable(),
    backedUp: z.boolean().meta({ description: 'Whether its authenticator has copies of it elsewhere' }),
  }),
  examplePasskey,
);

export const passkeyPageSchema = answer(
  'PasskeyPage',
  z.object({ items: z.array(passkeySchema).meta({ maxItems: PASSKEYS.max }), nextCursor: z.null() }),
  { items: [examplePasskey], nextCursor: null },
);

export type PasskeyCreationOptions = z.output<typeof passkeyCreationOptionsSchema>;
export type PasskeyRequestOptions = z.output<typeof passkeyRequestOptionsSchema>;
export type PasskeyAnswer = z.output<typeof passkeySchema>;
export type PasskeyPage = z.output<typeof passkeyPageSchema>;
