import type Stripe from 'stripe';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = Exclude<Json, null | boolean | number | string | Json[]>;

interface Answer {
  status: number;
  json: Json;
}

/** What a request was answered otherwise than by the simulator. */
export interface Mismatch {
  request: string;
  what: string;
}

/** Another implementation of Stripe's interface: stripe-mock, or Stripe itself in its test mode. */
export interface TwinOptions {
  url: string;
  secretKey: string;
  /** stripe-mock checks requests and types; it has no state, so its refusals and values say nothing. */
  hasState: boolean;
}

/** A text that differs in every world: an id, or an address made of one. */
const ID = /^[a-z_]+_[A-Za-z0-9]{6,}/;

/** Fields that the simulator adds, so that its pages work. */
const OWN_FIELDS = new Set(['client_secret', 'url', 'request']);

/**
 * Sends each request to the simulator and, with the ids of its own world, to the twin, and compares the answers: what the simulator
 * accepts, the twin must accept, and what both answer must be of the same type. Stripe itself must also have each field that the simulator
 * answers, and refuse what it refuses.
 */
export class Twin {
  readonly mismatches: Mismatch[] = [];
  /** The twin's id of each of the simulator's. */
  private readonly ids = new Map<string, string>();
  /** Keys of one run are not those of the one before. */
  private readonly run = Date.now().toString(36);

  constructor(private readonly options: TwinOptions) {}

  /** Takes the place of `own` in Stripe's package, which asks the simulator by it. */
  around(own: Stripe.HttpClient): Stripe.HttpClient {
    return {
      getClientName: () => own.getClientName(),
      makeRequest: async (host, port, path, method, headers, body, ...rest) => {
        const answer = await own.makeRequest(host, port, path, method, headers, body, ...rest);
        const json = (await answer.toJSON()) as Json;
        await this.ask({ method, path, headers, body }, { status: answer.getStatusCode(), json });
        return {
          getStatusCode: () => answer.getStatusCode(),
          getHeaders: () => answer.getHeaders(),
          getRawResponse: () => answer.getRawResponse(),
          toStream: (whenDone) => answer.toStream(whenDone),
          toJSON: () => Promise.resolve(json),
        };
      },
    };
  }

  private async ask(
    { method, path, headers, body }: { method: string; path: string; headers: object; body: string | null },
    own: { status: number; json: Json },
  ): Promise<void> {
    // stripe-mock has v1 alone.
    if (path.startsWith('/v2/') && !this.options.hasState) return;
    const theirs = await fetch(new URL(this.translated(path), this.options.url), {
      method,
      headers: this.headers(headers),
      ...(method !== 'GET' && body && { body: this.translated(body) }),
    });
    const there = { status: theirs.status, json: (await theirs.json()) as Json };
    this.compare(`${method} ${path}`, own, there);
  }

  private headers(given: object): Headers {
    const headers = new Headers({ ...given });
    headers.set('authorization', `Bearer ${this.options.secretKey}`);
    const key = headers.get('idempotency-key');
    if (key) headers.set('idempotency-key', `${key}-${this.run}`);
    const account = headers.get('stripe-account');
    if (account) headers.set('stripe-account', this.translated(account));
    for (const ofConnection of ['content-length', 'connection', 'host']) headers.delete(ofConnection);
    return headers;
  }

  private translated(text: string): string {
    let translated = text;
    for (const [own, theirs] of this.ids) translated = translated.replaceAll(own, theirs);
    return translated;
  }

  private compare(request: string, own: Answer, theirs: Answer): void {
    const tell = (what: string) => this.mismatches.push({ request, what });
    if (own.status >= 400) {
      const [here, there] = [own, theirs].map(
        ({ status, json }) => `${status} ${JSON.stringify(errorOf(json))}`,
      );
      if (this.options.hasState && here !== there) tell(`${here} here, ${there} there`);
    } else if (theirs.status >= 400) {
      tell(`accepted here, ${theirs.status} there: ${JSON.stringify(theirs.json)}`);
    } else this.compareAnswer('', own.json, theirs.json, tell);
  }

  private compareAnswer(path: string, own: Json, theirs: Json, tell: (what: string) => void): void {
    if (own === null || theirs === null) return;
    if (typeof own === 'string' && typeof theirs === 'string' && ID.test(own) && ID.test(theirs))
      this.ids.set(own, theirs);
    if (Array.isArray(own)) {
      if (!Array.isArray(theirs)) return tell(`${path} is a list here, ${typeof theirs} there`);
      own.forEach((one, index) => {
        const other = theirs[index] ?? theirs[0];
        if (other !== undefined) this.compareAnswer(`${path}[]`, one, other, tell);
      });
      return;
    }
    if (typeof own !== typeof theirs) {
      // What is expanded stands as an object, which stripe-mock does not do at every depth.
      const isExpanded = typeof own === 'object' || typeof theirs === 'object';
      if (this.options.hasState || !isExpanded) tell(`${path} is ${typeof own} here, ${typeof theirs} there`);
      return;
    }
    if (typeof own !== 'object') {
      if (this.options.hasState && typeof own === 'boolean' && own !== theirs)
        tell(`${path} is ${String(own)} here, ${String(theirs)} there`);
      return;
    }
    this.compareFields(path, own, theirs as JsonObject, tell);
  }

  private compareFields(
    path: string,
    own: JsonObject,
    theirs: JsonObject,
    tell: (what: string) => void,
  ): void {
    for (const [name, value] of Object.entries(own)) {
      // Names that a client has chosen.
      if (name === 'metadata' || OWN_FIELDS.has(name)) continue;
      const at = path === '' ? name : `${path}.${name}`;
      const other = theirs[name];
      if (other === undefined) {
        // stripe-mock leaves out what Stripe does not always send.
        if (value !== null && this.options.hasState) tell(`${at} is there here alone`);
      } else this.compareAnswer(at, value, other, tell);
    }
  }
}

/** What clients decide by. */
function errorOf(answer: Json) {
  const { error } = answer as { error?: { type?: string; code?: string; param?: string } };
  return { type: error?.type, code: error?.code, param: error?.param };
}

/**
 * stripe-mock at `STRIPE_MOCK_URL`, or Stripe's test mode where `STRIPE_TEST_KEY` is given; undefined where neither is. Throws for a
 * live key.
 */
export function twinOf({ STRIPE_MOCK_URL, STRIPE_TEST_KEY }: NodeJS.ProcessEnv): Twin | undefined {
  if (STRIPE_TEST_KEY !== undefined) {
    if (!/^[rs]k_test_/.test(STRIPE_TEST_KEY)) throw new Error('STRIPE_TEST_KEY is no key of the test mode');
    return new Twin({ url: 'https://api.stripe.com', secretKey: STRIPE_TEST_KEY, hasState: true });
  }
  if (STRIPE_MOCK_URL === undefined) return undefined;
  return new Twin({ url: STRIPE_MOCK_URL, secretKey: 'sk_test_123', hasState: false });
}
