import type { Passkey as PasskeyMessage } from '@pulso/contracts/identity/v1/identity';
import type { Passkey } from '../store/passkeys.js';

/** A passkey as its owner sees it. */
export function toPasskeyMessage({ id, name, createdAt, lastUsedAt, backedUp }: Passkey): PasskeyMessage {
  return { id, name, createdAt, lastUsedAt: lastUsedAt ?? undefined, backedUp };
}
