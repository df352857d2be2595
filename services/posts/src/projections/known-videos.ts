import { Injectable } from '@nestjs/common';
import type { VideoState } from '@pulso/contracts/media/v1/events';
import type { VideoFacts } from '@pulso/contracts/media/v1/media';
import { videoTopic } from '@pulso/contracts/topics/media';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { factsOf } from '../store/attached-video.js';
import { PostRepository } from '../store/post.repository.js';
import { VideoRows, type VideoRow } from './video.schema.js';

/**
 * What has become of the uploaded videos. Each state is written into the post that has the video, which every list reads anyway.
 * A state may arrive before its post is stored: who publishes one asks for the newest facts afterwards (`bringUpToDate`).
 */
@Injectable()
export class KnownVideos extends ProjectedRows<VideoState, VideoRow> {
  readonly topic = videoTopic;

  constructor(
    rows: VideoRows,
    rebuilds: Rebuilds,
    private readonly posts: PostRepository,
  ) {
    super(rows, rebuilds);
  }

  /** Writes the newest facts that are known here into the post of a video, and returns them; undefined if no post has it. */
  async bringUpToDate(videoId: string): Promise<VideoFacts | undefined> {
    const row = await this.rows.findOne({ _id: videoId });
    return row?.facts ? this.posts.storeVideoFacts(row.facts) : undefined;
  }

  /** Throws for a malformed id. */
  protected fieldsOf({ id, facts }: VideoState) {
    if (!isId(id)) throw new Error(`not a video's id: ${id}`);
    return { facts: facts ? factsOf(facts) : null };
  }

  protected override async written({ id }: VideoState): Promise<void> {
    await this.bringUpToDate(id);
  }

  /** Nothing is kept in memory, and each row that the rebuild has corrected was written. */
  protected rebuilt(): void {}
}
