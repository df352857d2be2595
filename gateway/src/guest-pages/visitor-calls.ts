import {
  callInProcess,
  type InProcessAnswer,
  type InProcessRequest,
  type Routing,
} from '../http/in-process-call.js';

/** Who asks for a page: what its calls are counted by and traced with. */
export type Visitor = Omit<InProcessRequest, 'url' | 'signal'>;

/** More than a page asks for: each costs what a browser's own call does. */
const MOST = 24;

/** The calls of one page, which ask for the same thing once. Each counts for the visitor's limits as the browser's own would. */
export class VisitorCalls {
  private readonly answers = new Map<string, Promise<InProcessAnswer>>();

  constructor(
    private readonly routing: Routing,
    private readonly visitor: Visitor,
    private readonly signal: AbortSignal,
  ) {}

  /** `url` is path and query. */
  get(url: string): Promise<InProcessAnswer> {
    let answer = this.answers.get(url);
    if (!answer) {
      if (this.answers.size >= MOST) return Promise.reject(new Error(`A page asks more than ${MOST} times`));
      const { routing, visitor, signal } = this;
      answer = callInProcess(routing, { ...visitor, url, signal });
      // The page may end before it looks at it.
      answer.catch(() => undefined);
      this.answers.set(url, answer);
    }
    return answer;
  }

  /** As the frontend sends its calls; only those that read the API. */
  async fetch({ method, url }: Request): Promise<Response> {
    const { pathname, search } = new URL(url);
    if (method !== 'GET' || !pathname.startsWith('/api/'))
      throw new Error(`A page cannot ask for ${method} ${pathname}`);
    const { status, headers, body } = await this.get(pathname + search);
    const type = headers['content-type'];
    // Of all headers only the type says something about the body as it is here.
    return new Response(status === 204 || status === 304 ? null : body, {
      status,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  }
}
