/** How the first answer to an Idempotency-Key is kept. */
export interface AnswerCodec<T> {
  encode(answer: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/**
 * Keeps an answer without the text that every repetition of the request brings again: kept with the key it would outlive
 * a deleted post or review. `withText` puts a text in the place of the answer's own.
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
