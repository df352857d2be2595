import { postMediaTicket } from '@pulso/contracts/media-tickets';
import { type ImageFacts, type VideoFacts, VideoStatus } from '@pulso/contracts/media/v1/media';
import { UserStatus, type UserState } from '@pulso/contracts/identity/v1/events';
import {
  type PostsServiceService,
  type PublishPostRequest,
  Visibility,
} from '@pulso/contracts/posts/v1/posts';
import type { ConsistencyToken } from '@pulso/platform/context/request-context';
import { eventOf } from '@pulso/platform/events/event-record';
import { priceTopic, subscriptionTopic } from '@pulso/contracts/topics/billing';
import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { videoTopic } from '@pulso/contracts/topics/media';
import { blockTopic, followTopic, hiddenCommentTopic, hiddenPostTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import type { ErasedUserDocument } from '@pulso/platform/mongo/erased-user.schema';
import { newId } from '@pulso/platform/ids/uuid-v7';
import type { RpcClient } from '@pulso/platform/rpc/rpc-client';
import { type Clock, systemClock } from '@pulso/platform/time/clock';
import { databaseUrlSetting } from '@pulso/platform/service/service-settings';
import type { BootedService } from '@pulso/platform/service/start-service';
import { DirectBus } from '@pulso/platform/testing/direct-bus';
import { type Replica, TestService } from '@pulso/platform/testing/test-service';
import { createConnection, type mongo } from 'mongoose';
import type { BlockRow } from '../src/projections/block.schema.js';
import type { FollowRow } from '../src/projections/follow.schema.js';
import type { HiddenCommentRow } from '../src/projections/hidden-comment.schema.js';
import type { HiddenPostRow } from '../src/projections/hidden-post.schema.js';
import type { PriceRow } from '../src/projections/price.schema.js';
import type { SubscriptionRow } from '../src/projections/subscription.schema.js';
import type { UserRow } from '../src/projections/user.schema.js';
import type { VideoRow } from '../src/projections/video.schema.js';
import { posts as definition } from '../src/service.js';
import type { DeletedImportRow } from '../src/store/deleted-import.schema.js';
import type { ImportRow } from '../src/store/import.schema.js';
import type { CommentDocument } from '../src/store/comment.schema.js';
import type { LikeDocument } from '../src/store/like.schema.js';
import type { PostDocument } from '../src/store/post.schema.js';

/** The documents of each collection. */
interface Documents {
  posts: PostDocument;
  comments: CommentDocument;
  likes: LikeDocument;
  users: UserRow;
  prices: PriceRow;
  follows: FollowRow;
  blocks: BlockRow;
  subscriptions: SubscriptionRow;
  hiddenPosts: HiddenPostRow;
  hiddenComments: HiddenCommentRow;
  videos: VideoRow;
  imports: ImportRow;
  deletedImports: DeletedImportRow;
  erasedUsers: ErasedUserDocument;
}

type PostsDefinition = typeof PostsServiceService;
export type PostsClient = RpcClient<PostsDefinition>;
export type PostsReplica = Replica<PostsDefinition>;

export type TestPosts = Awaited<ReturnType<typeof startTestPosts>>;

/** Starts posts on its own database in the suites' document store, reached by rpc; `close` drops the database. */
export async function startTestPosts({ clock = systemClock }: { clock?: Clock } = {}) {
  const bus = new DirectBus();
  const service = await TestService.start(definition, rpcContracts.posts, { bus, clock });
  const { keys } = service;
  const tickets = keys.tickets(clock);
  const versions = new Map<string, number>();
  const { [databaseUrlSetting(definition.name)]: url = '' } = service.env;
  const connection = await createConnection(url, { promoteBuffers: true }).asPromise();
  /** The service's collections, for access that bypasses the service. */
  const raw = new Proxy({} as { [N in keyof Documents]: mongo.Collection<Documents[N]> }, {
    get: (_, name) => connection.db!.collection(String(name)),
  });

  const version = (key: string) => {
    const next = nextVersion(versions.get(key), clock);
    versions.set(key, next);
    return next;
  };

  /** Runs calls with the token of `userId` (null: a visitor); returns what they wrote, too. */
  const asWith = async <T>(
    userId: string | null,
    after: readonly ConsistencyToken[],
    call: () => Promise<T>,
  ): Promise<{ answer: T; wrote: ConsistencyToken[] }> => {
    const wrote: ConsistencyToken[] = [];
    const answer = await service.as(userId, call, { wrote, after });
    return { answer, wrote };
  };
  const as = <T>(userId: string | null, call: (client: PostsClient) => Promise<T>): Promise<T> =>
    service.as(userId, call);

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
      formerUsernames: [],
      ...user,
    };
    await bus.publish([eventOf(userTopic, state)]);
    return state;
  };

  /** Media's grant of images or a video to a user's post. */
  const ticket = (userId: string, postId: string, images: readonly ImageFacts[], video?: VideoFacts) =>
    tickets.sign(postMediaTicket, userId, { postId, images: [...images], video });

  return {
    bus,
    raw,
    clock,
    get client() {
      return service.client;
    },
    get running() {
      return service.running;
    },
    as,
    asWith,
    startReplica: (changed?: Readonly<Record<string, string>>) => service.startReplica(changed),
    restart: (meanwhile?: () => Promise<void>) => service.restart(meanwhile),
    inKilledReplica: (work: (replica: Pick<BootedService, 'get'>) => Promise<unknown>) =>
      service.inKilledReplica(work),
    publishUser,
    version,
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
    async price(coachId: string, priceMinor: number | undefined, currency = 'MXN') {
      const state = { coachId, priceMinor, currency, version: version(`p${coachId}`), intentVersion: 1 };
      await bus.publish([eventOf(priceTopic, state)]);
    },
    async hide(postId: string, hidden = true) {
      const decision = { hidden, version: version(`h${postId}`), reason: 'spam', decidedAt: clock.now() };
      await bus.publish([eventOf(hiddenPostTopic, { postId, ...decision })]);
    },
    async hideComment(commentId: string, hidden = true) {
      const decision = { hidden, version: version(`h${commentId}`), reason: 'spam', decidedAt: clock.now() };
      await bus.publish([eventOf(hiddenCommentTopic, { commentId, ...decision })]);
    },
    publish: (userId: string, content: string, visibility = Visibility.VISIBILITY_PUBLIC) =>
      as(userId, (posts) => posts.publishPost({ content, visibility, images: [], idempotency: undefined })),
    comment: (userId: string, postId: string, content: string) =>
      as(userId, (posts) => posts.addComment({ postId, content, idempotency: undefined })),
    ticket,
    /** Publishes a post with an uploaded video, which has this id. */
    publishVideo: async (
      userId: string,
      video: VideoFacts,
      request: Partial<PublishPostRequest>,
      id: string,
    ) => {
      const media = {
        images: [],
        video: { uploadId: video.id },
        ticket: await ticket(userId, id, [], video),
      };
      const post = {
        content: '',
        visibility: Visibility.VISIBILITY_PUBLIC,
        idempotency: undefined,
        ...media,
      };
      return as(userId, (posts) => posts.publishPost({ ...post, ...request }));
    },
    /** What media knows of a video that is being processed. */
    video(changes: Partial<VideoFacts> = {}): VideoFacts {
      const id = newId();
      return {
        id,
        version: version(`v${id}`),
        status: VideoStatus.VIDEO_STATUS_PROCESSING,
        problem: '',
        name: 'squats ☕.mp4',
        type: 'video/mp4',
        bytes: 9_000_000,
        durationMs: 0,
        width: 0,
        height: 0,
        ...changes,
      };
    },
    /** Publishes newer facts about a video, and returns them. */
    async tellVideo(
      ownerId: string,
      video: VideoFacts,
      changes: Partial<VideoFacts> = {},
    ): Promise<VideoFacts> {
      const facts = { ...video, version: version(`v${video.id}`), ...changes };
      const state = { id: facts.id, version: facts.version, deleted: false, ownerId, facts };
      await bus.publish([eventOf(videoTopic, state)]);
      return facts;
    },
    async tellVideoGone(ownerId: string, id: string) {
      const state = { id, version: version(`v${id}`), deleted: true, ownerId, facts: undefined };
      await bus.publish([eventOf(videoTopic, state)]);
    },
    /** Verifies addresses as media does. */
    urls: keys.urls(clock),
    /** The numbers about a user's posts that profiles show. */
    async statsOf(userId: string) {
      const { stats } = await as(null, (posts) => posts.getUsersStats({ userIds: [userId] }));
      return stats[0];
    },
    /** The items of all pages of a list. */
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
      await connection.close();
      await service.stop();
    },
  };
}
