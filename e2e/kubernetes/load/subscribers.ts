import { ApiClient } from '../../support/api-client.js';
import { dice } from '../../support/dice.js';
import { RetryingClient } from '../../support/retrying-client.js';
import { type Send, Unanswered } from '../../support/write-mix.js';

/** A member of the load, and what they have been answered about their subscription; undefined after an unanswered change. */
export interface Member {
  name: string;
  client: ApiClient;
  subscribed: boolean | undefined;
  /** At a time of `performance.now()`. */
  signedUpAt: number;
}

interface Session {
  accessToken: string;
}

/** A member is new to the other services for so long; then they may subscribe. */
const KNOWN_AFTER_MS = 5_000;
/** One of so many turns signs somebody up, so that there are mails all the time. */
const SIGN_UP_EACH = 4;

/** People who sign up, which sends each a mail, and subscribe to a coach. */
export class Subscribers {
  readonly members: Member[] = [];
  private readonly busy = new Set<Member>();
  private asked = 0;
  private turn = 0;

  /** @param sendAs how a client sends, with its retry */
  constructor(
    private readonly url: string,
    private readonly prefix: string,
    readonly coach: ApiClient,
    private readonly sendAs: (client: ApiClient) => Send,
  ) {}

  /** Signs up one more. The answer to the retry of a sign-up that was done, but not answered, is that the name is taken. */
  async signUp(): Promise<void> {
    this.asked += 1;
    const name = `${this.prefix}-m${this.asked}`;
    const client = new ApiClient(this.url);
    const fields = { email: `${name}@example.test`, password: 'correct horse', name, username: name };
    const send = this.sendAs(client);
    const answer = await send<Session>('POST', '/api/auth/signup', fields);
    expect([201, 409]).toContain(answer.status);
    const { email, password } = fields;
    const session =
      answer.status === 201 ? answer : await send<Session>('POST', '/api/auth/login', { email, password });
    expect(session.body.accessToken).toBeDefined();
    client.accessToken = session.body.accessToken;
    this.members.push({ name, client, subscribed: false, signedUpAt: performance.now() });
  }

  /** One signs up in every fourth turn; in the others one subscribes, if that is wanted. */
  async act(subscribes: boolean): Promise<void> {
    if (this.turn++ % SIGN_UP_EACH === 0) return this.signUp();
    if (subscribes) await this.subscribeOnce();
  }

  /** Subscribes one of them, or ends a subscription; signs one up where nobody can subscribe yet. */
  private async subscribeOnce(): Promise<void> {
    const known = performance.now() - KNOWN_AFTER_MS;
    const free = this.members.filter(
      (member) => member.subscribed !== undefined && member.signedUpAt < known && !this.busy.has(member),
    );
    if (free.length === 0) return this.signUp();
    const member = dice.pick(free);
    this.busy.add(member);
    try {
      const wanted = !member.subscribed;
      member.subscribed = undefined;
      const path = `/api/subscriptions/${this.coach.userId}`;
      const answer = await this.sendAs(member.client)(wanted ? 'PUT' : 'DELETE', path);
      expect(wanted ? [200, 201] : [200, 204, 404]).toContain(answer.status);
      member.subscribed = wanted;
    } finally {
      this.busy.delete(member);
    }
  }

  /** The members whose subscription is not what they were answered. */
  async wrong(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { name, client, subscribed } of this.members) {
      await client.logIn(name);
      const all = await client.all<{ coach: { id: string } }>('/api/subscriptions');
      const is = all.some(({ coach }) => coach.id === this.coach.userId);
      if (subscribed !== undefined && subscribed !== is)
        wrong.push(`${name} ${is ? 'is' : 'is not'} subscribed`);
    }
    return wrong;
  }
}

/** What a client with one retry sends. A write of which the first attempt was done, although not answered, counts as answered. */
export function withOneRetry(client: ApiClient, pauseMs: number, onRetry: () => void): Send {
  const retrying = new RetryingClient([client], pauseMs);
  return async (method, path, body, headers) => {
    const before = retrying.retries;
    const answer = await retrying.call<never>(method, path, body, headers).catch((error: unknown) => {
      const { message, cause } = error as Error;
      throw new Unanswered(`${method} ${path}: ${message} ${String(cause ?? '')}`.trim(), { cause: error });
    });
    const isRepeated = retrying.retries > before;
    if (isRepeated) onRetry();
    if (isRepeated && method === 'DELETE' && answer.status === 404) return { ...answer, status: 204 };
    if (answer.status === 409 && (answer.body as { code?: string }).code === 'idempotency-in-progress')
      throw new Unanswered(`${method} ${path}: the first attempt still runs`);
    return answer;
  };
}
