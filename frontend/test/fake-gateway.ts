type Handler = (request: Request) => unknown;

export interface FakeGateway {
  /** "METHOD /path" of every call in order, without refreshes. */
  calls: string[];
  /** Sets the answer to "METHOD /path": a Response as is, any other value as JSON. */
  on: (route: string, handler: Handler) => void;
}

interface More {
  detail?: string;
  /** In seconds. */
  retryAfter?: number;
}

export const problem = (status: number, code: string, { detail, retryAfter }: More = {}): Response =>
  new Response(JSON.stringify({ type: 'about:blank', title: code, status, code, detail }), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(retryAfter !== undefined && { 'Retry-After': `${retryAfter}` }),
    },
  });

/** A field that the server refuses. */
export const refusal = (path: string, message: string): Response =>
  Response.json(
    {
      ...{ type: 'about:blank', title: 'Refused', status: 400, code: 'validation-failed' },
      errors: [{ path, code: 'refused', message }],
    },
    { status: 400, headers: { 'Content-Type': 'application/problem+json' } },
  );

/** Replaces fetch. Calls without a handler answer 404; there is no session. */
export function fakeGateway(): FakeGateway {
  const handlers = new Map<string, Handler>();
  const calls: string[] = [];
  globalThis.fetch = async (input, init) => {
    const request =
      input instanceof Request ? input : new Request(new URL(String(input), location.origin), init);
    const route = `${request.method} ${new URL(request.url).pathname}`;
    if (route === 'POST /api/auth/refresh') return problem(401, 'not-authenticated');
    calls.push(route);
    const answer = await (handlers.get(route) ?? (() => problem(404, 'not-found')))(request);
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return { calls, on: (route, handler) => void handlers.set(route, handler) };
}
