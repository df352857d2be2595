import type { Passkey, PasskeyAssertion } from '@pulso/contracts/identity/v1/identity';
import { apiTime } from '../http/bodies/api-time.js';
import type { PasskeyAnswer, PasskeyAssertionBody } from './passkeys.dto.js';

export function toPasskey({ id, name, createdAt, lastUsedAt, backedUp }: Passkey): PasskeyAnswer {
  return {
    id,
    name,
    createdAt: apiTime(createdAt),
    lastUsedAt: lastUsedAt === undefined ? null : apiTime(lastUsedAt),
    backedUp,
  };
}

export function toAssertion({
  id,
  clientDataJSON: clientDataJson,
  authenticatorData,
  signature,
  userHandle = '',
}: PasskeyAssertionBody): PasskeyAssertion {
  return { id, clientDataJson, authenticatorData, signature, userHandle };
}
