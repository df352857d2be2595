import { randomUUID } from 'node:crypto';
import { UserStatus, type UserState } from '@pulso/contracts/identity/v1/events';
import { PostsServiceService, Visibility } from '@pulso/contracts/posts/v1/posts';
import { createAccessTokenSigner, generateSigningKey, publicJwks } from '@pulso/platform/auth/access-token';
import { Lifetime } from '@pulso/platform/context/lifetime';
import { type WriteMark, runInContext } from '@pulso/platform/context/request-context';
import { eventOf } from '@pulso/platform/events/event-record';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic, followTopic, hiddenPostTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { createLogger } from '@pulso/platform/logging/logger';
import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { type RpcClient, createRpcClient } from '@pulso/platform/rpc/rpc-client';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import { type RunningPosts, startPosts } from '../../src/app.js';
import type { PostsConfig } from '../../src/config.js';
import { migratePosts } from '../../src/migrate.js';
import { PostsStore } from '../../src/store/posts-store.js';
import { TestBus } from './test-bus.js';

const BUDGET_MS = 20_000;
const signingKey = generateSigningKey();

export type PostsClient = RpcClient<typeof PostsServiceService>;

/** A replica of the service. */
export interface Replica {
  running: RunningPosts;
  client: PostsClient;
  stop(): Promise<void>;
}

export type TestPosts = Awaited<ReturnType<typeof startTestPosts>>;

/** Posts on a database of its own in the suites' document store, reached through its rpc; `close` drops it. */
export async function startTestPosts({ clock = systemClock }: { clock?: Clock } = {}) {
  const base = process.env['PULSO_TEST_MONGODB_URL'];
  if (!base) throw new Error('PULSO_TEST_MONGODB_URL is not set: jest’s globalSetup starts the engines.');
  const url = new URL(base);
  url.pathname = `/posts_test_${randomUUID().replaceAll('-', '')}`;
  const config: PostsConfig = {
    MONGODB_URL: url.toString(),
    MONGODB_POOL: 20,
    ACCESS_TOKEN_JWKS: publicJwks([await signingKey]),
    CURSOR_SECRETS: [{ kid: '1', secret: 'a secret for the cursors of these tests' }],
  };
  const logger = createLogger({ service: 'posts-test', level: 'fatal' });
  const signer = createAccessTokenSigner({ keys: [await signingKey], ttlSeconds: 600, clock });
  const bus = new TestBus();
  const versions = new Map<string, number>();
  await migratePosts(config);
  const store = await PostsStore.open(config);

  const startReplica = async (): Promise<Replica> => {
    const network = new InProcessNetwork();
    const transport = { kind: 'in-process' as const, network };
    const { started: running, leave } = await bus.leavable(() =>
      startPosts({ config, transport, bus, clock, logger }),
    );
    const service = { name: 'pulso.posts.v1.PostsService', definition: PostsServiceService };
    const client = createRpcClient(service, transport, clock);
    const stop = async () => {
      leave();
      await client.close();
      await running.close();
    };
    return { running, client, stop };
  };
  const first = await startReplica();
  let current = first;

  const version = (key: string) => {
    const next = nextVersion(versions.get(key), clock);
    versions.set(key, next);
    return next;
  };

  /** Runs calls with the token of `userId` (null: a visitor); answers what they wrote, too. */
  const asWith = async <T>(
    userId: string | null,
    after: readonly WriteMark[],
    call: () => Promise<T>,
  ): Promise<{ answer: T; wrote: WriteMark[] }> => {
    const token = userId && (await signer.sign({ userId, sessionId: newId() })).token;
    const context = {
      requestId: newId(),
      authorization: token ? `Bearer ${token}` : undefined,
      caller: null,
      deadline: clock.now() + BUDGET_MS,
      lifetime: new Lifetime(),
      after,
      wrote: [] as WriteMark[],
      traceparent: undefined,
    };
    const answer = await runInContext(context, call);
    return { answer, wrote: context.wrote };
  };
  const as = async <T>(userId: string | null, call: (client: PostsClient) => Promise<T>): Promise<T> =>
    (await asWith(userId, [], () => call(current.client))).answer;

  const publishUser = async (user: Partial<UserState> & { id: string }): Promise<UserState> => {
    const state: UserState = {
      version: version(user.id),
      status: UserStatus.USER_STATUS_ACTIVE,
      name: 'Ada',
      username: `user-${user.id.slice(-8)}`,
      profileImageId: '',
      isCoach: false,
      subscriptionCurrency: '',
      createdAt: clock.now(),
      ...user,
    };
    await bus.publish([eventOf(userTopic, state)]);
    return state;
  };

  return {
    bus,
    store,
    config,
    clock,
    get client() {
      return current.client;
    },
    get running() {
      return current.running;
    },
    as,
    asWith,
    startReplica,
    publishUser,
    version,
    /** Ends the service and starts it again on the same store. */
    async restart(meanwhile: () => Promise<void> = () => Promise.resolve()) {
      await current.stop();
      await meanwhile();
      current = await startReplica();
    },
    async user(fields: Partial<UserState> = {}): Promise<string> {
      return (await publishUser({ id: newId(), ...fields })).id;
    },
    coach: async () => (await publishUser({ id: newId(), isCoach: true, name: 'Coach' })).id,
    async follow(followerId: string, targetId: string, active = true) {
      const key = `${followerId}_${targetId}`;
      await bus.publish([
        eventOf(followTopic, { followerId, targetId, active, version: version(`f${key}`) }),
      ]);
    },
    async block(blockerId: string, blockedId: string, active = true) {
      const key = `${blockerId}_${blockedId}`;
      await bus.publish([eventOf(blockTopic, { blockerId, blockedId, active, version: version(`b${key}`) })]);
    },
    async subscribe(userId: string, coachId: string, active = true, accessUntil?: number) {
      const state = { userId, coachId, active, accessUntil, version: version(`s${userId}_${coachId}`) };
      await bus.publish([eventOf(subscriptionTopic, state)]);
    },
    async hide(postId: string, hidden = true) {
      await bus.publish([eventOf(hiddenPostTopic, { postId, hidden, version: version(`h${postId}`) })]);
    },
    publish: (userId: string, content: string, visibility = Visibility.VISIBILITY_PUBLIC) =>
      as(userId, (posts) => posts.publishPost({ content, visibility, idempotency: undefined })),
    comment: (userId: string, postId: string, content: string) =>
      as(userId, (posts) => posts.addComment({ postId, content, idempotency: undefined })),
    /** What a profile says of a user's posts. */
    async statsOf(userId: string) {
      const { stats } = await as(null, (posts) => posts.getUsersStats({ userIds: [userId] }));
      return stats[0];
    },
    /** Every page of a list, joined. */
    async all<T>(page: (cursor: string) => Promise<{ items: T[]; nextCursor: string }>): Promise<T[]> {
      const items: T[] = [];
      for (let cursor = ''; ;) {
        const answer = await page(cursor);
        items.push(...answer.items);
        if (answer.nextCursor === '') return items;
        cursor = answer.nextCursor;
      }
    },
    async close() {
      await current.stop();
      await store.drop();
      await store.close();
    },
  };
}
