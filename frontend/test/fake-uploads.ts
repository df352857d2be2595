/** A request of XMLHttpRequest as the fake server has got it; `size` of its body in bytes. */
interface SentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  size: number;
}

/** `lost`: there is no answer, though the server has got half of it; `never`: nor will there be. */
type Answer = { status: number; body?: unknown } | 'lost' | 'never' | undefined;

export interface FakeUploads {
  requests: SentRequest[];
  /** Bytes of the resumable upload that are there. */
  received: () => number;
  /** Answers in place of the server where it returns something. */
  intercept: (answer: (request: SentRequest, n: number) => Answer) => void;
  restore: () => void;
}

/** A browser whose uploads go to a server that takes them as tus 1.0 says. Every upload is `v1`. */
export function fakeUploads(): FakeUploads {
  const { XMLHttpRequest: real } = globalThis;
  const requests: SentRequest[] = [];
  let offset = 0;
  let length: number | undefined;
  let intercepted: (request: SentRequest, n: number) => Answer = () => undefined;

  function answerTo({
    method,
    path,
    headers,
    size,
  }: SentRequest): [number, Record<string, string>, unknown?] {
    if (method === 'POST' && path === '/api/media/videos') return [201, {}, { id: 'v1' }];
    if (method === 'POST') {
      [offset, length] = [0, Number(headers['Upload-Length'])];
      return [201, { Location: '/api/uploads/v1' }];
    }
    if (length === undefined) return [404, {}];
    if (method === 'DELETE') {
      length = undefined;
      return [204, {}];
    }
    if (method === 'PATCH') {
      if (Number(headers['Upload-Offset']) !== offset) return [409, {}];
      offset += size;
    }
    return [method === 'HEAD' ? 200 : 204, { 'Upload-Offset': `${offset}`, 'Upload-Length': `${length}` }];
  }

  class FakeRequest {
    upload: { onprogress?: (event: object) => void } = {};
    onload?: () => void;
    onerror?: (event: unknown) => void;
    status = 0;
    responseText = '';
    private readonly request: SentRequest = { method: '', path: '', headers: {}, size: 0 };
    private answered: Record<string, string> = {};
    private aborted = false;

    open(method: string, url: string): void {
      Object.assign(this.request, { method, path: new URL(url, location.origin).pathname });
    }
    setRequestHeader(name: string, value: string): void {
      this.request.headers[name] = value;
    }
    getResponseHeader(name: string): string | null {
      return this.answered[name] ?? null;
    }
    abort(): void {
      this.aborted = true;
    }
    send(body: Blob | FormData | null): void {
      const { request } = this;
      request.size = body instanceof FormData ? (body.get('file') as File).size : (body?.size ?? 0);
      requests.push(request);
      setTimeout(() => {
        if (this.aborted) return;
        this.upload.onprogress?.({ lengthComputable: true, loaded: Math.floor(request.size / 2) });
        const answer = intercepted(request, requests.length);
        if (answer === 'never') return;
        if (answer === 'lost') {
          if (request.method === 'PATCH') offset += Math.floor(request.size / 2);
          return this.onerror?.(new Event('error'));
        }
        const [status, headers, content] = answer ? [answer.status, {}, answer.body] : answerTo(request);
        Object.assign(this, { status, answered: headers });
        this.responseText = content === undefined ? '' : JSON.stringify(content);
        this.onload?.();
      });
    }
  }
  globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest;
  return {
    requests,
    received: () => offset,
    intercept: (answer) => void (intercepted = answer),
    restore: () => void (globalThis.XMLHttpRequest = real),
  };
}
