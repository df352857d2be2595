import { useState } from 'react';

/** Not crypto.randomUUID, which exists on secure origins only. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

export interface IdempotencyKeys {
  keyFor: (body: unknown) => string;
  done: () => void;
}

/** An `Idempotency-Key` that stays the same while the same body is retried after a lost answer. */
export function idempotencyKeys(): IdempotencyKeys {
  let last: { body: string; key: string } | undefined;
  return {
    keyFor(body) {
      const serialized = JSON.stringify(body);
      if (last?.body !== serialized) last = { body: serialized, key: newKey() };
      return last.key;
    },
    done() {
      last = undefined;
    },
  };
}

/** Keys that live as long as the component. */
export function useIdempotencyKey(): IdempotencyKeys {
  const [keys] = useState(idempotencyKeys);
  return keys;
}
