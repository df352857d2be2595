import { useState } from 'react';
import { randomHex } from './random-hex.js';

export const newKey = (): string => randomHex(16);

export interface IdempotencyKeys {
  keyFor: (body: unknown) => string;
  done: () => void;
}

export interface Sent {
  body: string;
  key: string;
}

/** Where the last body that was sent, and its key, are kept. */
interface SentMemory {
  read: () => Sent | undefined;
  write: (sent: Sent | undefined) => void;
}

function ownMemory(): SentMemory {
  let last: Sent | undefined;
  return { read: () => last, write: (sent) => (last = sent) };
}

/** An `Idempotency-Key` that stays the same while the same body is retried after a lost answer. */
export function idempotencyKeys({ read, write }: SentMemory = ownMemory()): IdempotencyKeys {
  return {
    keyFor(body) {
      const serialized = JSON.stringify(body);
      const last = read();
      if (last?.body === serialized) return last.key;
      const key = newKey();
      write({ body: serialized, key });
      return key;
    },
    done: () => write(undefined),
  };
}

/** Keys that live as long as the component. */
export function useIdempotencyKey(): IdempotencyKeys {
  const [keys] = useState(() => idempotencyKeys());
  return keys;
}
