/** Of everybody who signs up here. */
export const PASSWORD = 'correct horse';

/** A response of the gateway with its whole body. */
export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface ApiPost {
  id: string;
  author: { id: string; name: string; username: string };
  content: string;
  visibility: 'public' | 'subscribers';
  locked: boolean;
  truncated: boolean;
  likeCount: number;
  likedByViewer: boolean;
  commentCount: number;
  createdAt: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** A plain HTTP client: keeps its token, its cookies and the last `Pulso-After`. */
export class ApiClient {
  accessToken: string | undefined;
  userId = '';
  username = '';
  private readonly cookies = new Map<string, string>();
  private after: string | undefined;

  /** `url` changes when the server starts again at another port. */
  constructor(public url: string) {}

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...(this.accessToken ? { authorization: `Bearer ${this.accessToken}` } : {}),
        ...(this.cookies.size > 0 ? { cookie: [...this.cookies.values()].join('; ') } : {}),
        ...(this.after ? { 'pulso-after': this.after } : {}),
        ...headers,
      },
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    this.after = response.headers.get('pulso-after') ?? this.after;
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie.split(';')[0]!);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : {}) as T };
  }

  private keep(cookie: string): void {
    const [name = '', value] = cookie.split('=');
    if (value) this.cookies.set(name, cookie);
    else this.cookies.delete(name);
  }

  get = <T = Record<string, unknown>>(path: string, headers?: Record<string, string>) =>
    this.call<T>('GET', path, undefined, headers);

  post = <T = Record<string, unknown>>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.call<T>('POST', path, body, headers);

  put = <T = Record<string, unknown>>(path: string) => this.call<T>('PUT', path);
  patch = <T = Record<string, unknown>>(path: string, body: unknown) => this.call<T>('PATCH', path, body);
  delete = <T = Record<string, unknown>>(path: string) => this.call<T>('DELETE', path);

  /** Signs up a new user; throws unless the status is 201. */
  async signUp(username: string, fields: Record<string, unknown> = {}): Promise<this> {
    const answer = await this.post<{ accessToken: string; user: { id: string } }>('/api/auth/signup', {
      email: `${username}@example.test`,
      password: PASSWORD,
      name: username,
      username,
      ...fields,
    });
    if (answer.status !== 201) throw new Error(`Sign-up of ${username}: ${JSON.stringify(answer.body)}`);
    return this.signedIn(username, answer.body);
  }

  async logIn(username: string, password = PASSWORD): Promise<this> {
    this.accessToken = undefined;
    const answer = await this.post<{ accessToken: string; user: { id: string } }>('/api/auth/login', {
      email: `${username}@example.test`,
      password,
    });
    if (answer.status !== 200) throw new Error(`Login of ${username}: ${JSON.stringify(answer.body)}`);
    return this.signedIn(username, answer.body);
  }

  private signedIn(username: string, session: { accessToken: string; user: { id: string } }): this {
    this.username = username;
    this.accessToken = session.accessToken;
    this.userId = session.user.id;
    return this;
  }

  /** The items of all pages of a list, `limit` per page. */
  async all<T>(path: string, limit = 50): Promise<T[]> {
    const items: T[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
      const answer: Answer<Page<T>> = await this.get<Page<T>>(`${path}?${query}`);
      if (answer.status !== 200) throw new Error(`GET ${path}: ${JSON.stringify(answer.body)}`);
      items.push(...answer.body.items);
      cursor = answer.body.nextCursor;
    }
    return items;
  }
}
