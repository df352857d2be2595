import { useRef } from 'react';

/** crypto.randomUUID exists on secure origins only; getRandomValues everywhere. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** An `Idempotency-Key` that stays the same while the same body is tried again after a lost answer. */
export function useIdempotencyKey(): { keyFor: (body: unknown) => string; done: () => void } {
  const last = useRef<{ body: string; key: string } | undefined>(undefined);
  return {
    keyFor(body) {
      const serialized = JSON.stringify(body);
      if (last.current?.body !== serialized) last.current = { body: serialized, key: newKey() };
      return last.current.key;
    },
    done() {
      last.current = undefined;
    },
  };
}
