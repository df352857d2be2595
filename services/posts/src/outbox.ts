import type { EventBus } from '@pulso/platform/events/event-bus';
import { MongoOutbox } from '@pulso/platform/events/mongo-outbox';
import { republish } from '@pulso/platform/events/republish';
import { commentTopic, likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { Clock } from '@pulso/platform/time/clock';
import type { mongo } from 'mongoose';
import { commentState } from './comment/comment.js';
import type { CommentDocument } from './comment/comment.schema.js';
import { likeState } from './like/like.js';
import type { LikeDocument } from './like/like.schema.js';
import { postState } from './post/post.js';
import type { PostDocument } from './post/post.schema.js';
import type { PostsStore } from './store/posts-store.js';

const PAGE = 500;

/** The three nouns that posts owns and publishes. */
export const NOUNS = ['post', 'comment', 'like'] as const;

interface Binding<T> {
  collection: () => mongo.Collection;
  topic: Topic<T>;
  toState(document: mongo.Document): T;
}

function bindingsOf(store: PostsStore) {
  const post: Binding<ReturnType<typeof postState>> = {
    collection: () => store.raw.posts as never,
    topic: postTopic,
    toState: (document) => postState(document as PostDocument),
  };
  const comment: Binding<ReturnType<typeof commentState>> = {
    collection: () => store.raw.comments as never,
    topic: commentTopic,
    toState: (document) => commentState(document as CommentDocument),
  };
  const like: Binding<ReturnType<typeof likeState>> = {
    collection: () => store.raw.likes as never,
    topic: likeTopic,
    toState: (document) => likeState(document as LikeDocument),
  };
  return { post, comment, like };
}

/** What of posts, comments and likes has changed and is not published yet. */
export function postsOutbox(store: PostsStore, clock: Clock) {
  const { post, comment, like } = bindingsOf(store);
  return new MongoOutbox([post, comment, like], clock);
}

/** Publishes every current state of a noun again, for projections of other services to be rebuilt; how many. */
export function republishNoun(
  store: PostsStore,
  bus: Pick<EventBus, 'publish' | 'partitions' | 'settled'>,
  noun: string,
): Promise<number> {
  const { post, comment, like } = bindingsOf(store);
  switch (noun) {
    case 'post':
      return republish({ topic: post.topic, states: statesOf(post), bus });
    case 'comment':
      return republish({ topic: comment.topic, states: statesOf(comment), bus });
    case 'like':
      return republish({ topic: like.topic, states: statesOf(like), bus });
    default:
      throw new Error(`posts owns ${NOUNS.join(', ')}, and no ${noun}`);
  }
}

async function* statesOf<T>({ collection, toState }: Binding<T>): AsyncGenerator<T> {
  let after = '';
  for (;;) {
    const page = await collection()
      .find({ _id: { $gt: after } } as object)
      .sort({ _id: 1 })
      .limit(PAGE)
      .toArray();
    for (const document of page) yield toState(document);
    if (page.length < PAGE) return;
    after = page.at(-1)!._id as unknown as string;
  }
}
