import type { Passkey } from '@pulso/contracts/identity/v1/identity';
import { SESSION_ID, TIME } from './fake-shapes.js';

export const PASSKEY_ID = SESSION_ID;

export function aPasskey(changes: Partial<Passkey> = {}): Passkey {
  return {
    id: PASSKEY_ID,
    name: 'Phone',
    createdAt: TIME,
    lastUsedAt: undefined,
    backedUp: true,
    ...changes,
  };
}

export const PASSKEY_REQUEST = {
  rpId: 'pulso.example',
  challenge: 'YSBjaGFsbGVuZ2U',
  timeout: 300_000,
  userVerification: 'required',
};

export const PASSKEY_CREATION = {
  challenge: 'YSBjaGFsbGVuZ2U',
  rp: { name: 'Pulso', id: 'pulso.example' },
  user: { id: 'AZjypHwQez6dYT8qjF4bBw', name: 'ana@example.com', displayName: 'Ana Torres' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 300_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    userVerification: 'required',
    requireResidentKey: true,
  },
  extensions: { credProps: true },
  hints: [],
};
