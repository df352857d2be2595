import { ApiError, NetworkError } from '../http/api-error.js';
import { pause, retryWait } from '../http/retry.js';

/** How long an operation is tried again while the server gets no more bytes, and how long all operations of an upload are (MEDIA-9). */
const OPERATION_MS = 120_000;
const UPLOAD_MS = 600_000;

/** Tried again for as long as MEDIA-9 allows; `cause` is why the last try failed. */
export class RetryLimitError extends Error {
  override readonly name = 'RetryLimitError';
}

/** 408, 429, 5xx and no answer (MEDIA-9); 409 and 423 while the server still works on what a cut connection has brought. */
const isRetried = (error: unknown): boolean =>
  error instanceof NetworkError ||
  (error instanceof ApiError && ([408, 409, 423, 429].includes(error.status) || error.status >= 500));

interface Sending<Result> {
  send: () => Promise<Result>;
  /** The bytes that the server is known to have: as long as they become more, the operation begins anew. */
  accepted: () => number;
  signal: AbortSignal;
}

/**
 * Sends, and again after failures that may pass, at once when the network is back.
 * @throws RetryLimitError, the first failure that cannot pass, the signal's reason.
 */
export async function untilSent<Result>({ send, accepted, signal }: Sending<Result>): Promise<Result> {
  let failures = 0;
  let failingSince = 0;
  let spent = 0;
  let known = accepted();
  for (;;) {
    try {
      return await send();
    } catch (cause) {
      signal.throwIfAborted();
      if (!isRetried(cause)) throw cause;
      const now = Date.now();
      if (failures > 0 && accepted() > known) failures = 0;
      known = accepted();
      failures += 1;
      if (failures === 1) failingSince = now;
      const wait = retryWait(failures);
      const failing = now + wait - failingSince;
      spent += wait;
      if (failing > OPERATION_MS || spent > UPLOAD_MS) throw new RetryLimitError('given up', { cause });
      await pause(wait, signal);
      signal.throwIfAborted();
    }
  }
}
