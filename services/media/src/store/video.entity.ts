import { VideoStatus } from '@pulso/contracts/media/v1/media';
import type { VideoFacts } from '@pulso/contracts/media/v1/media';
import type { VideoState } from '@pulso/contracts/media/v1/events';
import { OptionalTimeColumn, TimeColumn, VersionColumn } from '@pulso/platform/postgres/columns';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type VideoStatusName = 'processing' | 'ready' | 'failed';

/** What becomes of an uploaded video (MEDIA-11). */
@Entity('videos')
export class Video {
  /** The asset's. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  status!: VideoStatusName;

  /** Why it has failed, in words for its owner. */
  @Column('text')
  problem!: string;

  /** The name of the uploaded file; only shown. */
  @Column('text')
  name!: string;

  /** One of `VIDEO.types`. */
  @Column('text')
  type!: string;

  /** Of the stored file; of the upload while it is processed, 0 when it has failed. */
  @Column('integer')
  bytes!: number;

  @Column('integer', { name: 'duration_ms' })
  durationMs!: number;

  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @TimeColumn('created_at')
  createdAt!: number;

  /** When a worker is to take it; null once it is ready or has failed. */
  @OptionalTimeColumn('due_at')
  dueAt!: number | null;

  /** How often a worker has taken it. */
  @Column('integer')
  attempts!: number;

  /** The latest attempts after which no worker has said anything: it was killed, or is at work. */
  @Column('integer')
  deaths!: number;

  /** Why the last attempt failed, for operators. */
  @Column('text')
  reason!: string;

  @Column('boolean')
  deleted!: boolean;

  @VersionColumn()
  version!: number;
}

const STATUS: Readonly<Record<VideoStatusName, VideoStatus>> = {
  processing: VideoStatus.VIDEO_STATUS_PROCESSING,
  ready: VideoStatus.VIDEO_STATUS_READY,
  failed: VideoStatus.VIDEO_STATUS_FAILED,
};

export function toVideoFacts(video: Video): VideoFacts {
  const { id, version, status, problem, name, type, bytes, durationMs, width, height } = video;
  return { id, version, status: STATUS[status], problem, name, type, bytes, durationMs, width, height };
}

export function toVideoState(video: Video): VideoState {
  const { id, version, deleted, ownerId } = video;
  return { id, version, deleted, ownerId, facts: deleted ? undefined : toVideoFacts(video) };
}
