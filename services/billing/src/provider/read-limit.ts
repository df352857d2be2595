/** In ms: of one reading of the provider that nobody waits for. */
const READ_LIMIT_MS = 10_000;

/** Ends a reading after its limit, or with `signal`. */
export function readLimit(signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(READ_LIMIT_MS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}
