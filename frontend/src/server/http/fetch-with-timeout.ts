/** 30 s on desktop, 60 s on phones (LIMIT-6). */
const TIMEOUT = matchMedia('(pointer: coarse)').matches ? 60_000 : 30_000;
/** An upload waits for its turn, and is as slow as its network (LIMIT-6, LIMIT-10). So are the export and the archive, which are made of all that is held. */
const TIMEOUT_LONG = 180_000;
const EXPORT = /me\/(export|archive)$/;
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

  const request = input instanceof Request ? input : undefined;
  const caller = init.signal ?? request?.signal;
  const takesLong =
    request && (request.headers.get('Content-Type')?.startsWith('multipart') || EXPORT.test(request.url));
  const signals = [
    AbortSignal.timeout(takesLong ? TIMEOUT_LONG : TIMEOUT),
    offline.signal,
    ...(caller ? [caller] : []),
  ];
  try {
    return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
  } finally {
    clearTimeout(timer);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', onOnline);
  }
}
