import type { WriteMark } from '@pulso/platform/context/request-context';
import { type ProjectionGate, projectionGate } from '@pulso/platform/events/projection-gate';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import { commentTopic, likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import { blockTopic, followTopic } from '@pulso/contracts/topics/social';
import { LRUCache } from 'lru-cache';
import type { CommentRepository } from '../comment/comment.repository.js';
import type { LivePosts } from '../feed/live-posts.js';
import type { ViewerLikes } from '../like/viewer-likes.js';
import type { PostRepository } from '../post/post.repository.js';
import type { GraphRows } from './graph-rows.js';
import type { Users } from './users.js';

const REMEMBERED = 20_000;

/**
 * What of a caller's own writes this process must show: others' states by its projections, posts' own ones by what it
 * remembers of the store, which another replica may have changed a moment ago. A mark that was once seen stays seen.
 */
export function postsGate(parts: {
  users: Users;
  rows: GraphRows;
  posts: PostRepository;
  comments: CommentRepository;
  livePosts: LivePosts;
  viewerLikes: ViewerLikes;
}): ProjectionGate & { noteSeen(mark: WriteMark): void } {
  const { users, rows, posts, comments, livePosts, viewerLikes } = parts;
  const seen = new LRUCache<string, number>({ max: REMEMBERED });
  const gate = projectionGate({
    [userTopic.name]: (key) => users.versionOf(key),
    [followTopic.name]: (key) => rows.versionOf('follows', key),
    [blockTopic.name]: (key) => rows.versionOf('blocks', key),
    [subscriptionTopic.name]: (key) => rows.versionOf('subscriptions', key),
    [postTopic.name]: async (key) => {
      const post = await posts.findEvenDeleted(key);
      if (post) livePosts.apply(post);
      return post?.version;
    },
    // Likes and comments are read from the store; what is remembered are their counts and whose likes they are.
    [likeTopic.name]: async (key) => {
      const [targetId, userId] = key.split('_') as [string, string];
      livePosts.forget(targetId);
      viewerLikes.forget(userId);
      return Infinity;
    },
    [commentTopic.name]: async (key) => {
      const postId = await comments.postOf(key);
      if (postId) livePosts.forget(postId);
      return Infinity;
    },
  });
  return {
    projects: (topic) => gate.projects(topic),
    async hasSeen(mark) {
      const name = `${mark.topic}/${mark.key}`;
      if ((seen.get(name) ?? -1) >= mark.version) return true;
      if (!(await gate.hasSeen(mark))) return false;
      seen.set(name, mark.version);
      return true;
    },
    noteSeen({ topic, key, version }) {
      seen.set(`${topic}/${key}`, version);
    },
  };
}
