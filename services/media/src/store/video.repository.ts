import { Injectable } from '@nestjs/common';
import { videoTopic } from '@pulso/contracts/topics/media';
import { nextVersion } from '@pulso/platform/events/version';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { toVideoState, Video } from './video.entity.js';

/** An upload that is whole. */
export type UploadedVideo = Pick<Video, 'id' | 'ownerId' | 'name' | 'type' | 'bytes'>;

/** The videos that are processed, ready or have failed. */
@Injectable()
export class VideoRepository {
  constructor(private readonly clock: Clock) {}

  /** Stores and publishes that a video is to be processed, in the commit that makes its upload whole. */
  async begin(upload: UploadedVideo, transaction: Transaction): Promise<void> {
    const now = this.clock.now();
    const video: Video = {
      ...upload,
      ...{ status: 'processing', problem: '', durationMs: 0, width: 0, height: 0 },
      ...{ createdAt: now, dueAt: now, attempts: 0, reason: '', deleted: false },
      version: nextVersion(undefined, this.clock),
    };
    await transaction.manager.insert(Video, video);
    await transaction.publish(videoTopic, toVideoState(video));
  }
}
