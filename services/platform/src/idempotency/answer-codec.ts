/** Encodes the first answer to an Idempotency-Key for storage. */
export interface AnswerCodec<T> {
  encode(answer: T): Uint8Array;
  decode(bytes: Uint8Array): T | Promise<T>;
}

/**
 * Which fields of an answer are stored. What its user wrote or attached is left out: a stored copy would outlive a
 * deleted post or review, and each repetition of the request contains it again. So is what the user is called: a copy would
 * outlive the account (ACCT-32), and the service knows it. A nested message is decided field by field; a list can only be left out.
 */
export type StoredFields<T> = { readonly [K in keyof T]-?: StoredField<NonNullable<T[K]>> };
type StoredField<V> =
  | 'left-out'
  | (V extends readonly unknown[] ? never : V extends object ? StoredFields<V> : 'kept');

/** What a message of ts-proto offers. */
interface Message<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
  fromPartial(kept: never): T;
}

/** Stores the kept fields only, also of an answer with fields that nobody has decided. `restore` adds the others. */
export function storedAnswer<T extends object>(
  message: Message<T>,
  fields: StoredFields<T>,
  restore: (stored: T) => T | Promise<T>,
): AnswerCodec<T> {
  return {
    encode: (answer) => message.encode(message.fromPartial(keptOf(answer, fields) as never)).finish(),
    decode: (bytes) => restore(message.decode(bytes)),
  };
}

function keptOf(message: object, fields: object): object {
  const values = new Map<string, unknown>(Object.entries(message));
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]: [string, 'kept' | 'left-out' | object]) => {
      const value = values.get(name);
      if (field === 'left-out' || value === undefined) return [];
      return [[name, typeof field === 'object' ? keptOf(value as object, field) : value]];
    }),
  );
}
