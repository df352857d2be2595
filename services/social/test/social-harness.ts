import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import type { RatingSummary, ReviewPage, UserPage } from '@pulso/contracts/social/v1/social';
import {
  type AccessTokenSigner,
  createAccessTokenSigner,
  generateSigningKey,
  publicJwks,
} from '@pulso/platform/auth/access-token';
import { Lifetime } from '@pulso/platform/context/lifetime';
import { type WriteMark, runInContext } from '@pulso/platform/context/request-context';
import { eventOf } from '@pulso/platform/events/event-record';
import { InProcessBus } from '@pulso/platform/events/in-process-bus';
import { migrateBus } from '@pulso/platform/events/bus-schema';
import type { Topic } from '@pulso/contracts/topics/topic';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic, followTopic, hiddenPostTopic, reviewTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { type RpcClient, createRpcClient } from '@pulso/platform/rpc/rpc-client';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { SOCIAL_SERVICE, type RunningSocial, startSocial } from '../src/app.js';
import { type SocialConfig, socialConfigSchema } from '../src/config.js';
import { migrateSocial } from '../src/migrate.js';

export type SocialClient = RpcClient<(typeof SOCIAL_SERVICE)['definition']>;

/** The states of one topic as a consumer elsewhere would hold them: the newest of every key. */
type Shadow = Map<string, { version: number }>;

/** A database of the suite's own on the run's PostgreSQL. */
export async function aDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = new URL(process.env.PULSO_TEST_POSTGRES_URL!);
  const name = `social_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function onServer(server: URL, statement: string): Promise<void> {
  const client = new Client(server.href);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface Person {
  id: string;
  name: string;
}

/** The whole service over the in-process transport, with a real bus; time stands still until it is moved. */
export class Social {
  private people = 0;
  private readonly states = new Map<string, UserState>();

  private constructor(
    readonly url: string,
    readonly clock: ManualClock,
    readonly pool: Pool,
    readonly bus: InProcessBus,
    readonly service: RunningSocial,
    readonly client: SocialClient,
    /** By topic name: what has been delivered to another service. */
    readonly delivered: ReadonlyMap<string, Shadow>,
    private readonly signer: AccessTokenSigner,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(): Promise<Social> {
    const database = await aDatabase();
    const clock = new ManualClock(Date.UTC(2026, 10, 20));
    const pool = new Pool({ connectionString: database.url, max: 10 });
    // Tests take the database away; without a listener a lost idle connection would end the process.
    pool.on('error', () => {});
    const logger = createLogger({ service: 'social', level: 'error' });
    await migrateSocial({ SOCIAL_DATABASE_URL: database.url });
    await migrateBus(pool);
    const bus = new InProcessBus({ pool, clock, logger });
    const key = await generateSigningKey();
    const network = new InProcessNetwork();
    const config: SocialConfig = socialConfigSchema.parse({
      SOCIAL_DATABASE_URL: database.url,
      ACCESS_TOKEN_JWKS: JSON.stringify(publicJwks([key])),
      CURSOR_SECRETS: JSON.stringify([{ kid: 'test', secret: 'x'.repeat(32) }]),
    });
    const transport = { kind: 'in-process', network } as const;
    const service = await startSocial({ config, transport, bus, clock, logger });
    const delivered = new Map([
      shadow(bus, followTopic),
      shadow(bus, blockTopic),
      shadow(bus, reviewTopic),
      shadow(bus, hiddenPostTopic),
      shadow(bus, userSuspensionTopic),
    ]);
    await bus.start();
    const signer = createAccessTokenSigner({ keys: [key], ttlSeconds: 3600, clock });
    const client = createRpcClient(SOCIAL_SERVICE, transport, clock);
    return new Social(database.url, clock, pool, bus, service, client, delivered, signer, database.drop);
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.service.close();
    await this.bus.stop();
    await this.pool.end();
    await this.drop();
  }

  /** Somebody new whose state has arrived. */
  async person(fields: Partial<UserState> = {}): Promise<Person> {
    this.people += 1;
    const id = newIdAt(this.clock.now());
    const name = `Person ${this.people}`;
    await this.change(
      { id, name },
      { name, username: `person-${this.people}`, status: UserStatus.USER_STATUS_ACTIVE, ...fields },
    );
    return { id, name };
  }

  coach(): Promise<Person> {
    return this.person({ isCoach: true });
  }

  /** Identity tells a new state of the user. */
  async change({ id }: Person, fields: Partial<UserState>): Promise<void> {
    const previous = this.states.get(id) ?? UserState.create();
    const state = { ...previous, id, ...fields, version: previous.version + 1 };
    this.states.set(id, state);
    await this.tell(userTopic, state);
  }

  /** Billing tells a state of a subscription. */
  subscription(user: Person, coach: Person, fields: Partial<SubscriptionState>): Promise<void> {
    return this.tell(
      subscriptionTopic,
      SubscriptionState.fromPartial({ userId: user.id, coachId: coach.id, version: 1, ...fields }),
    );
  }

  /** Publishes a state and waits until the service has it. */
  async tell<T>(topic: Topic<T>, state: T): Promise<void> {
    const event = eventOf(topic, state);
    await this.bus.publish([event]);
    if (!(await this.bus.settled([event], 5_000))) throw new Error(`${event.id} was not delivered`);
    // A state older than one that has been handled counts as settled before it has arrived.
    while ((await this.bus.pending()) > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** All that was committed has been delivered to the others. */
  async drainEvents(): Promise<void> {
    await this.service.relay.drain();
    while ((await this.bus.pending()) > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Calls the service as a user, or as a visitor. */
  async as<T>(
    user: Person | null,
    call: (client: SocialClient) => Promise<T>,
    wrote: WriteMark[] = [],
    after: WriteMark[] = [],
  ): Promise<T> {
    const token = user && (await this.signer.sign({ userId: user.id, sessionId: 'session' })).token;
    return runInContext(
      {
        requestId: 'test',
        authorization: token === null ? undefined : `Bearer ${token}`,
        caller: null,
        deadline: this.clock.now() + 60_000,
        lifetime: new Lifetime(),
        after,
        wrote,
        traceparent: undefined,
      },
      () => call(this.client),
    );
  }

  follow(user: Person, target: Person, wrote?: WriteMark[]) {
    return this.as(user, (client) => client.followUser({ userId: target.id }), wrote);
  }

  unfollow(user: Person, target: Person, wrote?: WriteMark[]) {
    return this.as(user, (client) => client.unfollowUser({ userId: target.id }), wrote);
  }

  block(user: Person, target: Person, wrote?: WriteMark[]) {
    return this.as(user, (client) => client.blockUser({ userId: target.id }), wrote);
  }

  unblock(user: Person, target: Person, wrote?: WriteMark[]) {
    return this.as(user, (client) => client.unblockUser({ userId: target.id }), wrote);
  }

  review(user: Person, coach: Person, rating = 5, comment = 'Strong and kind', key = '', bodyHash = 'hash') {
    const idempotency = { key, scope: `PUT ${coach.id}`, bodyHash };
    return this.as(user, (client) => client.putReview({ coachId: coach.id, rating, comment, idempotency }));
  }

  reviews(viewer: Person | null, coach: Person, page: { limit?: number; cursor?: string } = {}) {
    const { limit = 0, cursor = '' } = page;
    return this.as(viewer, (client) => client.listReviews({ coachId: coach.id, limit, cursor }));
  }

  followers(viewer: Person | null, user: Person, page: { limit?: number; cursor?: string } = {}) {
    const { limit = 0, cursor = '' } = page;
    return this.as(viewer, (client) => client.listFollowers({ userId: user.id, limit, cursor }));
  }

  following(viewer: Person | null, user: Person, page: { limit?: number; cursor?: string } = {}) {
    const { limit = 0, cursor = '' } = page;
    return this.as(viewer, (client) => client.listFollowing({ userId: user.id, limit, cursor }));
  }

  async relation(viewer: Person | null, user: Person) {
    const { relations } = await this.as(viewer, (client) => client.getRelations({ userIds: [user.id] }));
    return relations[0]!;
  }

  async rows<T>(query: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.pool.query(query, parameters)).rows as T[];
  }

  /** The state of a key that has been delivered last. */
  deliveredState<T>(topic: Topic<T>, key: string): T | undefined {
    return this.delivered.get(topic.name)!.get(key) as T | undefined;
  }
}

/** Subscribes what a projection elsewhere would: idempotent by version. */
function shadow<T extends { version: number }>(bus: InProcessBus, topic: Topic<T>): [string, Shadow] {
  const states: Shadow = new Map();
  bus.subscribe({
    group: 'elsewhere',
    topic,
    handle: async (state, { key }) => {
      if ((states.get(key)?.version ?? 0) < state.version) states.set(key, state);
    },
  });
  return [topic.name, states];
}

export const names = ({ items }: UserPage) => items.map(({ name }) => name);

export const comments = ({ items }: ReviewPage) => items.map(({ comment }) => comment);

export const summaryOf = ({ summary }: ReviewPage): RatingSummary => summary!;

/** What a rejected promise was rejected with, as `kind code`; `resolved` when it was not. */
export async function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error: { kind?: string; code?: string; message: string }) =>
      error.kind ? `${error.kind} ${error.code}` : error.message,
  );
}

/** How often each value occurs. */
export function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Random numbers in [0, 1) that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
