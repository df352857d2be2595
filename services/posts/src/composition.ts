import { createCursorSealer } from '@pulso/platform/auth/sealed-cursor';
import { PeriodicJob } from '@pulso/platform/jobs/periodic-job';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import { AddComment } from './comment/add-comment.js';
import { CommentGuard } from './comment/comment-guard.js';
import { CommentRepository } from './comment/comment.repository.js';
import { DeleteComment } from './comment/delete-comment.js';
import { ListComments } from './comment/list-comments.js';
import type { PostsConfig } from './config.js';
import { GetFeed } from './feed/get-feed.js';
import { LivePosts } from './feed/live-posts.js';
import { postTail } from './feed/post-tail.js';
import { LikeComment } from './like/like-comment.js';
import { LikePost } from './like/like-post.js';
import { LikeRepository } from './like/like.repository.js';
import { LikeWriter } from './like/like-writer.js';
import { UnlikeComment } from './like/unlike-comment.js';
import { UnlikePost } from './like/unlike-post.js';
import { ViewerLikes } from './like/viewer-likes.js';
import { CountKeeper } from './post/count-keeper.js';
import { DeletePost } from './post/delete-post.js';
import { EditPost } from './post/edit-post.js';
import { EraseTraces } from './post/erase-traces.job.js';
import { GetPost } from './post/get-post.js';
import { GetUsersStats } from './post/get-users-stats.js';
import { ListUserPosts } from './post/list-user-posts.js';
import { PostGuard } from './post/post-guard.js';
import { PostRepository } from './post/post.repository.js';
import { PublishPost } from './post/publish-post.js';
import { RowCounting } from './post/row-counting.js';
import { postsGate } from './projection/posts-gate.js';
import { composeProjections } from './projection/projections.js';
import { forgetKeys } from './store/forget-keys.js';
import { ListPager } from './store/list-pager.js';
import type { PostsStore } from './store/posts-store.js';
import { Publication } from './store/publication.js';

const FORGET_KEYS_MS = 10 * 60_000;

export interface CompositionOptions {
  store: PostsStore;
  config: Pick<PostsConfig, 'CURSOR_SECRETS'>;
  clock: Clock;
  logger: Logger;
}

export type PostsComposition = ReturnType<typeof composePosts>;

/** Puts the service's parts together over an open store. Starts nothing. */
export function composePosts({ store, config, clock, logger }: CompositionOptions) {
  const sealer = createCursorSealer({ secrets: config.CURSOR_SECRETS });
  const pager = new ListPager(sealer);
  const publication = new Publication();

  const posts = new PostRepository(store, clock);
  const comments = new CommentRepository(store, clock);
  const likes = new LikeRepository(store, clock);
  const livePosts = new LivePosts(posts, clock);
  const projections = composeProjections({ store, posts, livePosts, clock, logger });
  const { users, viewers, graphs, rows, hiddenPosts } = projections;
  const viewerLikes = new ViewerLikes(likes);

  const counts = new CountKeeper(posts, comments, likes, livePosts);
  const rowCounting = new RowCounting(store, posts, comments, counts, viewers);
  const eraseTraces = new EraseTraces(posts, comments, likes, rowCounting, publication, logger);
  const guard = new PostGuard(posts, users, hiddenPosts, viewers, graphs, clock);
  const commentGuard = new CommentGuard(comments, guard);
  const writer = new LikeWriter(likes, counts, rowCounting, viewers, publication);

  return {
    store,
    livePosts,
    publication,
    rowCounting,
    eraseTraces,
    forgetKeys: new PeriodicJob({
      name: 'clearing old idempotency keys',
      everyMs: FORGET_KEYS_MS,
      work: () => forgetKeys(store, clock),
      logger,
    }),
    tails: { posts: postTail(store, livePosts, logger), ...projections.tails },
    gate: postsGate({ users, rows, posts, comments, livePosts, viewerLikes }),
    subscribe: projections.subscribe,
    useCases: {
      getFeed: new GetFeed(livePosts, viewers, graphs, users, hiddenPosts, viewerLikes, sealer, clock),
      publishPost: new PublishPost(posts, users, livePosts, publication, clock),
      getPost: new GetPost(guard, viewerLikes),
      editPost: new EditPost(posts, guard, users, viewerLikes, livePosts, publication, clock),
      deletePost: new DeletePost(posts, guard, livePosts, eraseTraces, publication, clock),
      listUserPosts: new ListUserPosts(posts, guard, users, hiddenPosts, viewerLikes, pager, clock),
      getUsersStats: new GetUsersStats(posts, hiddenPosts),
      addComment: new AddComment(comments, guard, users, counts, rowCounting, publication, clock),
      listComments: new ListComments(comments, guard, users, viewerLikes, pager),
      deleteComment: new DeleteComment(comments, commentGuard, counts, rowCounting, eraseTraces, publication),
      likePost: new LikePost(guard, writer),
      unlikePost: new UnlikePost(posts, likes, guard, writer),
      likeComment: new LikeComment(commentGuard, writer),
      unlikeComment: new UnlikeComment(likes, commentGuard, writer),
    },
  };
}
