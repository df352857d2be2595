/** 30 s on desktop, 60 s on phones (LIMIT-6). */
const TIMEOUT = matchMedia('(pointer: coarse)').matches ? 60_000 : 30_000;

export function fetchWithTimeout(input: Request | string, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT);
  const caller = init.signal ?? (input instanceof Request ? input.signal : undefined);
  return fetch(input, { ...init, signal: caller ? AbortSignal.any([caller, timeout]) : timeout });
}
