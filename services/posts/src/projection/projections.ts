import type { EventBus } from '@pulso/platform/events/event-bus';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import type { mongo } from 'mongoose';
import type { LivePosts } from '../feed/live-posts.js';
import type { PostRepository } from '../post/post.repository.js';
import type { PostsStore } from '../store/posts-store.js';
import { GraphRows } from './graph-rows.js';
import { hiddenPostTail } from './hidden-post-tail.js';
import { HiddenPosts } from './hidden-posts.js';
import { onBlockChanged } from './on-block-changed.consumer.js';
import { onFollowChanged } from './on-follow-changed.consumer.js';
import { onHiddenPostChanged } from './on-hidden-post-changed.consumer.js';
import { onSubscriptionChanged } from './on-subscription-changed.consumer.js';
import { onUserChanged } from './on-user-changed.consumer.js';
import type { ProjectedRow } from './rebuild/projected-row.js';
import { ProjectedRows } from './rebuild/projected-rows.js';
import type { ProjectionName } from './rebuild/rebuild.schema.js';
import { Rebuilds } from './rebuild/rebuilds.js';
import { rebuildTail } from './rebuild/rebuild-tail.js';
import { userTail } from './user-tail.js';
import { Users } from './users.js';
import { ViewerGraphs } from './viewer-graphs.js';
import { viewerTail } from './viewer-tail.js';
import { Viewers } from './viewers.js';

export interface ProjectionOptions {
  store: PostsStore;
  posts: PostRepository;
  livePosts: LivePosts;
  clock: Clock;
  logger: Logger;
}

/** Puts together what posts keeps of other services. Starts nothing. */
export function composeProjections({ store, posts, livePosts, clock, logger }: ProjectionOptions) {
  const rebuilds = new Rebuilds(store);
  const rowsOf = (name: ProjectionName) =>
    new ProjectedRows(
      name,
      store.raw[name] as unknown as mongo.Collection<ProjectedRow>,
      rebuilds,
      clock,
      takeOver,
    );
  const userRows = rowsOf('users');
  const graphRows = {
    follows: rowsOf('follows'),
    blocks: rowsOf('blocks'),
    subscriptions: rowsOf('subscriptions'),
  };
  const hiddenPostRows = rowsOf('hiddenPosts');

  const users = new Users(store, userRows);
  const viewers = new Viewers(store);
  const graphs = new ViewerGraphs(store, livePosts.index, clock);
  const rows = new GraphRows(store, graphRows, viewers, graphs);
  const hiddenPosts = new HiddenPosts(store, posts, hiddenPostRows);

  /** What this process remembers of a projection is of before it was rebuilt. */
  async function takeOver(name: ProjectionName): Promise<void> {
    switch (name) {
      case 'users':
        return users.forgetAll();
      case 'hiddenPosts':
        return hiddenPosts.reload();
      case 'follows':
      case 'blocks':
      case 'subscriptions':
        return graphs.forgetAll();
    }
  }

  return {
    users,
    viewers,
    graphs,
    rows,
    hiddenPosts,
    tails: {
      users: userTail(store, users, logger),
      viewers: viewerTail(store, viewers, logger),
      hiddenPosts: hiddenPostTail(store, hiddenPosts, logger),
      rebuilds: rebuildTail(store, takeOver, logger),
    },
    subscribe(bus: Pick<EventBus, 'subscribe'>): void {
      bus.subscribe(userRows.rebuildable(onUserChanged(users)));
      bus.subscribe(graphRows.follows.rebuildable(onFollowChanged(rows)));
      bus.subscribe(graphRows.blocks.rebuildable(onBlockChanged(rows)));
      bus.subscribe(graphRows.subscriptions.rebuildable(onSubscriptionChanged(rows)));
      bus.subscribe(hiddenPostRows.rebuildable(onHiddenPostChanged(hiddenPosts)));
    },
  };
}
