import { Injectable } from '@nestjs/common';
import { ChangeTails } from '@pulso/platform/mongo/change-tails';
import { gauge } from '@pulso/platform/telemetry/metrics';
import { Registry } from 'prom-client';
import { PostCollection } from '../store/post.schema.js';
import { LivePosts } from './live-posts.js';

/**
 * Keeps this process's posts equal to the store's: its own writes at once, those of other replicas by the change
 * tail.
 */
@Injectable()
export class FeedUpkeep {
  constructor(posts: PostCollection, livePosts: LivePosts, tails: ChangeTails, registry: Registry) {
    posts.onCommit((post) => livePosts.apply(post));
    tails.watch(posts, {
      fields: [
        'authorId',
        'visibility',
        'importedAt',
        'live',
        'version',
        'likeCount',
        'commentCount',
        'importedComments',
      ],
      apply: (changes, catchingUp) => livePosts.applyChanges(changes, catchingUp),
    });
    gauge(registry, {
      name: 'pulso_feed_index_posts',
      help: 'Posts in the index of the ranked feed',
      collect() {
        this.set(livePosts.index.size);
      },
    });
  }
}
