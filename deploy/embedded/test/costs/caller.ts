import { randomUUID } from 'node:crypto';

const LIMIT_MS = 15_000;
/** One grey pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

interface Answered {
  id: string;
  items: { id: string }[];
  nextCursor: string;
  url: string;
}

/** A user, or a visitor, who calls the gateway; throws unless the answer is good. */
export class Caller {
  id = '';
  username = '';
  private token: string | undefined;
  private cookie: string | undefined;

  constructor(private readonly url: string) {}

  get = (path: string) => this.call('GET', path);
  put = (path: string, body?: unknown) => this.call('PUT', path, body);
  patch = (path: string, body: unknown) => this.call('PATCH', path, body);
  delete = (path: string) => this.call('DELETE', path);
  /** With a key of its own wherever one is taken. */
  post = (path: string, body?: unknown) =>
    this.call('POST', path, body, this.token ? { 'idempotency-key': randomUUID() } : {});

  /** Under a name that nobody has yet. */
  async signUp(name: string, isCoach = false): Promise<this> {
    this.username = `${name}-${randomUUID().slice(0, 8)}`;
    const account = {
      email: `${this.username}@example.test`,
      password: 'secret words',
      name,
      username: this.username,
    };
    return this.enter(await this.post('/api/auth/signup', { ...account, isCoach }));
  }

  async login(): Promise<this> {
    const account = { email: `${this.username}@example.test`, password: 'secret words' };
    return this.enter(await this.call('POST', '/api/auth/login', account));
  }

  async upload(): Promise<Answered> {
    const form = new FormData();
    form.set('purpose', 'post');
    form.set('file', new Blob([PICTURE], { type: 'image/png' }), 'picture.png');
    return this.call('POST', '/api/media/images', form);
  }

  private enter(answer: unknown): this {
    const { accessToken, user } = answer as { accessToken: string; user: { id: string } };
    [this.token, this.id] = [accessToken, user.id];
    return this;
  }

  private async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const isForm = body instanceof FormData;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...headers,
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(this.cookie && { cookie: this.cookie }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      body: isForm || body === undefined ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const [set] = response.headers.getSetCookie();
    if (set) this.cookie = set.split(';')[0];
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const isJson = response.headers.get('content-type')?.includes('json');
    return (isJson ? JSON.parse(text) : {}) as Answered;
  }
}
