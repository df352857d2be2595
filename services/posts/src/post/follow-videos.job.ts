import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { Registry } from 'prom-client';
import { KnownVideos } from '../projections/known-videos.js';
import { PostRepository } from '../store/post.repository.js';

const POSTS_AT_ONCE = 100;
const POLL_MS = 10 * 60_000;
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 };
const PASS_LIMIT_MS = 5 * 60_000;

/**
 * Brings what is known of videos into posts that still show them as being processed: a process may have died after it had stored a
 * post, before it asked for what had become of its video meanwhile.
 */
@Injectable()
export class FollowVideos implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    private readonly posts: PostRepository,
    private readonly videos: KnownVideos,
    logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'facts about videos of posts',
      everyMs: POLL_MS,
      work: (stopping) => this.run(stopping),
      backoff: BACKOFF,
      logger,
      limitMs: PASS_LIMIT_MS,
      registry,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.loop.nudge();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  private async run(stopping: AbortSignal): Promise<void> {
    for (let after = ''; !stopping.aborted;) {
      const found = await this.posts.listWithVideoUnderWay(after, POSTS_AT_ONCE);
      for (const { videoId } of found) if (videoId !== undefined) await this.videos.bringUpToDate(videoId);
      if (found.length < POSTS_AT_ONCE) return;
      after = found.at(-1)!._id;
    }
  }
}
