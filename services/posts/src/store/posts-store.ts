import { type Connection, type Model, type mongo, createConnection } from 'mongoose';
import { type CommentDocument, commentSchema } from '../comment/comment.schema.js';
import type { PostsConfig } from '../config.js';
import { type LikeDocument, likeSchema } from '../like/like.schema.js';
import { type PostDocument, postSchema } from '../post/post.schema.js';
import { type BlockRow, blockSchema } from '../projection/block.schema.js';
import { type FollowRow, followSchema } from '../projection/follow.schema.js';
import { type HiddenPostRow, hiddenPostSchema } from '../projection/hidden-post.schema.js';
import { type RebuildRow, rebuildSchema } from '../projection/rebuild/rebuild.schema.js';
import { type SubscriptionRow, subscriptionSchema } from '../projection/subscription.schema.js';
import { type UserRow, userSchema } from '../projection/user.schema.js';
import { type ViewerRow, viewerSchema } from '../projection/viewer.schema.js';

const CONNECT_BUDGET_MS = 5_000;
const SOCKET_BUDGET_MS = 15_000;

/** Posts' own database: its collections and nothing else. */
export class PostsStore {
  readonly posts: Model<PostDocument>;
  readonly comments: Model<CommentDocument>;
  readonly likes: Model<LikeDocument>;
  readonly users: Model<UserRow>;
  readonly follows: Model<FollowRow>;
  readonly blocks: Model<BlockRow>;
  readonly subscriptions: Model<SubscriptionRow>;
  readonly viewers: Model<ViewerRow>;
  readonly hiddenPosts: Model<HiddenPostRow>;
  readonly rebuilds: Model<RebuildRow>;

  /** The driver's own collections: on paths that every page takes, and where mongoose has nothing to add. */
  readonly raw: {
    readonly posts: mongo.Collection<PostDocument>;
    readonly comments: mongo.Collection<CommentDocument>;
    readonly likes: mongo.Collection<LikeDocument>;
    readonly users: mongo.Collection<UserRow>;
    readonly follows: mongo.Collection<FollowRow>;
    readonly blocks: mongo.Collection<BlockRow>;
    readonly subscriptions: mongo.Collection<SubscriptionRow>;
    readonly viewers: mongo.Collection<ViewerRow>;
    readonly hiddenPosts: mongo.Collection<HiddenPostRow>;
    readonly rebuilds: mongo.Collection<RebuildRow>;
  };

  private constructor(private readonly connection: Connection) {
    this.posts = connection.model<PostDocument>('Post', postSchema, 'posts');
    this.comments = connection.model<CommentDocument>('Comment', commentSchema, 'comments');
    this.likes = connection.model<LikeDocument>('Like', likeSchema, 'likes');
    this.users = connection.model<UserRow>('User', userSchema, 'users');
    this.follows = connection.model<FollowRow>('Follow', followSchema, 'follows');
    this.blocks = connection.model<BlockRow>('Block', blockSchema, 'blocks');
    this.subscriptions = connection.model<SubscriptionRow>(
      'Subscription',
      subscriptionSchema,
      'subscriptions',
    );
    this.viewers = connection.model<ViewerRow>('Viewer', viewerSchema, 'viewers');
    this.hiddenPosts = connection.model<HiddenPostRow>('HiddenPost', hiddenPostSchema, 'hiddenPosts');
    this.rebuilds = connection.model<RebuildRow>('Rebuild', rebuildSchema, 'rebuilds');
    const database = connection.db!;
    this.raw = {
      posts: database.collection('posts'),
      comments: database.collection('comments'),
      likes: database.collection('likes'),
      users: database.collection('users'),
      follows: database.collection('follows'),
      blocks: database.collection('blocks'),
      subscriptions: database.collection('subscriptions'),
      viewers: database.collection('viewers'),
      hiddenPosts: database.collection('hiddenPosts'),
      rebuilds: database.collection('rebuilds'),
    };
  }

  static async open(config: Pick<PostsConfig, 'MONGODB_URL' | 'MONGODB_POOL'>): Promise<PostsStore> {
    const connection = createConnection(config.MONGODB_URL, {
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      maxPoolSize: config.MONGODB_POOL,
      serverSelectionTimeoutMS: CONNECT_BUDGET_MS,
      // Otherwise 30 s, for which a server that hangs keeps even a process alive that has given up on it.
      connectTimeoutMS: CONNECT_BUDGET_MS,
      socketTimeoutMS: SOCKET_BUDGET_MS,
      promoteBuffers: true,
      readConcernLevel: 'majority',
      w: 'majority',
    });
    await connection.asPromise();
    return new PostsStore(connection);
  }

  /** Creates what indexes are missing; safe to repeat. */
  async createIndexes(): Promise<void> {
    for (const model of Object.values(this.connection.models)) await model.createIndexes();
  }

  /** Names of the collections that lack an index which this version declares. */
  async missingIndexes(): Promise<string[]> {
    const missing: string[] = [];
    for (const model of Object.values(this.connection.models)) {
      const { toCreate } = await model.diffIndexes();
      if (toCreate.length > 0) missing.push(model.collection.name);
    }
    return missing;
  }

  /** Rejects when the store does not answer. */
  async ping(): Promise<void> {
    await this.connection.db!.command({ ping: 1 });
  }

  /** Removes the whole database; for tests. */
  async drop(): Promise<void> {
    await this.connection.dropDatabase();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}
