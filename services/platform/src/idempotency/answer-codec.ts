/** Encodes the first answer to an Idempotency-Key for storage. */
export interface AnswerCodec<T> {
  encode(answer: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/**
 * Stores an answer without its text, because a stored text would outlive a deleted post or review. Each repetition of
 * the request contains the text again. `withText` replaces the answer's text.
 */
export function answerWithoutText<T>(
  message: { encode(message: T): { finish(): Uint8Array }; decode(bytes: Uint8Array): T },
  text: string,
  withText: (answer: T, text: string) => T,
): AnswerCodec<T> {
  return {
    encode: (answer) => message.encode(withText(answer, '')).finish(),
    decode: (bytes) => withText(message.decode(bytes), text),
  };
}
