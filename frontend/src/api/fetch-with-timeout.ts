/** 30 s on desktop, 60 s on phones (LIMIT-6). */
const TIMEOUT = matchMedia('(pointer: coarse)').matches ? 60_000 : 30_000;
/** While the browser says that it is offline (LIMIT-7). It may be wrong, so the call is made all the same. */
const TIMEOUT_OFFLINE = 5_000;

export async function fetchWithTimeout(input: Request | string, init: RequestInit = {}): Promise<Response> {
  const offline = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onOffline = () => {
    const reason = new DOMException('offline', 'TimeoutError');
    timer = setTimeout(() => offline.abort(reason), TIMEOUT_OFFLINE);
  };
  const onOnline = () => clearTimeout(timer);
  if (!navigator.onLine) onOffline();
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', onOnline);

  const caller = init.signal ?? (input instanceof Request ? input.signal : undefined);
  const signals = [AbortSignal.timeout(TIMEOUT), offline.signal, ...(caller ? [caller] : [])];
  try {
    return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
  } finally {
    clearTimeout(timer);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', onOnline);
  }
}
