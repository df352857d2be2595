import { act, waitFor } from '@testing-library/react';
import type { Passkey } from '../src/api/types.js';

export const REQUEST_OPTIONS = {
  challenge: 'YSBjaGFsbGVuZ2U',
  rpId: 'localhost',
  timeout: 300_000,
  userVerification: 'required',
} as const;

export const CREATION_OPTIONS = {
  challenge: 'YSBjaGFsbGVuZ2U',
  rp: { id: 'localhost', name: 'Pulso' },
  user: { id: 'AZjypHwQez6dYT8qjF4bBw', name: 'ben@example.test', displayName: 'Ben' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
  extensions: { credProps: true },
  hints: [],
} as const;

/** What the page sends of a passkey that was shown. */
export const SHOWN = {
  id: 'cGFzc2tleQ',
  clientDataJSON: 'ZGF0YQ',
  authenticatorData: 'ZmxhZ3M',
  signature: 'c2lnbmF0dXJl',
  userHandle: 'aGFuZGxl',
};

/** What the page sends of a passkey that was made. */
export const MADE = {
  id: 'cGFzc2tleQ',
  clientDataJSON: 'ZGF0YQ',
  attestationObject: 'b2JqZWN0',
  transports: ['internal'],
};

export const aPasskey = (over: Partial<Passkey> = {}): Passkey => ({
  id: 'p1',
  name: 'Phone',
  createdAt: '2026-11-03T10:00:00.000Z',
  lastUsedAt: null,
  backedUp: false,
  ...over,
});

interface Asking {
  kind: 'create' | 'get';
  isConditional: boolean;
  settle: (credential: object | Error) => void;
}

export interface FakeAuthenticator {
  /** The requests that wait for the user, the latest last. */
  waiting: () => Asking[];
  /** How many requests there were. */
  asked: () => number;
  /** The user shows a passkey, or makes one. */
  show: () => Promise<void>;
  cancel: () => Promise<void>;
  /** The browser refuses with an error of this name. */
  fail: (name: string) => Promise<void>;
  remove: () => void;
}

const bytes = (base64url: string): ArrayBuffer =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    .buffer;

const credentialOf = (kind: Asking['kind']) => ({
  id: SHOWN.id,
  rawId: bytes(SHOWN.id),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({}),
  response:
    kind === 'get'
      ? {
          clientDataJSON: bytes(SHOWN.clientDataJSON),
          authenticatorData: bytes(SHOWN.authenticatorData),
          signature: bytes(SHOWN.signature),
          userHandle: bytes(SHOWN.userHandle),
        }
      : {
          clientDataJSON: bytes(MADE.clientDataJSON),
          attestationObject: bytes(MADE.attestationObject),
          getTransports: () => MADE.transports,
        },
});

/** Gives the browser passkeys, which jsdom has not: `offers` them under fields, too. To be removed after the test. */
export function fakeAuthenticator({ offers = false } = {}): FakeAuthenticator {
  const open: Asking[] = [];
  let asked = 0;
  const ask =
    (kind: Asking['kind']) =>
    ({ mediation, signal }: { mediation?: string; signal: AbortSignal }) =>
      new Promise<object>((resolve, reject) => {
        const asking: Asking = {
          kind,
          isConditional: mediation === 'conditional',
          settle(credential) {
            if (!open.includes(asking)) return;
            open.splice(open.indexOf(asking), 1);
            if (credential instanceof Error) reject(credential);
            else resolve(credential);
          },
        };
        asked += 1;
        open.push(asking);
        signal.addEventListener('abort', () => asking.settle(signal.reason as Error), { once: true });
      });
  const named = (name: string) => Object.assign(new Error(name), { name });
  const settle = async (outcome: (asking: Asking) => object | Error): Promise<void> => {
    // The page asks the server for the options first.
    const asking = await waitFor(() => {
      const latest = open.at(-1);
      if (!latest) throw new Error('no passkey is asked for');
      return latest;
    });
    act(() => asking.settle(outcome(asking)));
  };
  const credentials = { create: ask('create'), get: ask('get') };
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials });
  Object.defineProperty(globalThis, 'PublicKeyCredential', {
    configurable: true,
    value: class {
      static isConditionalMediationAvailable = () => Promise.resolve(offers);
    },
  });
  return {
    waiting: () => [...open],
    asked: () => asked,
    show: () => settle(({ kind }) => credentialOf(kind)),
    cancel: () => settle(() => named('NotAllowedError')),
    fail: (name) => settle(() => named(name)),
    remove() {
      Reflect.deleteProperty(navigator, 'credentials');
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    },
  };
}
