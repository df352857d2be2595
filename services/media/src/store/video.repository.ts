import { Injectable } from '@nestjs/common';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { videoTopic } from '@pulso/contracts/topics/media';
import { nextVersion } from '@pulso/platform/events/version';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource, type EntityManager, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { AssetRepository } from './asset.repository.js';
import { toVideoState, Video } from './video.entity.js';

/** An upload that is whole. */
export type UploadedVideo = Pick<Video, 'id' | 'ownerId' | 'name' | 'type' | 'bytes'>;

/** A video that a worker has claimed. `dueAt` is when others may take it, and what the claim is known by. */
export type ClaimedVideo = Pick<Video, 'id' | 'ownerId' | 'type' | 'bytes' | 'attempts' | 'deaths'> & {
  dueAt: number;
};

/** What is stored of a video once it is ready. */
export type ReadyVideo = Pick<Video, 'type' | 'bytes' | 'durationMs' | 'width' | 'height'>;

/** `full`: it does not fit into its owner's storage, and has failed. `lost`: another worker has it. `gone`: it is deleted. */
export type VideoEnd = 'ended' | 'full' | 'lost' | 'gone';

/** Which videos operators are shown. */
export type ListedVideos = 'all' | 'due' | 'failed';

/** Ends the transaction without a trace. */
class ClaimLost extends Error {}

/** The videos that are processed, ready or have failed. */
@Injectable()
export class VideoRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writes: Writes,
    private readonly assets: AssetRepository,
    private readonly clock: Clock,
  ) {}

  /** Stores and publishes that a video is to be processed, in the commit that makes its upload whole. */
  async begin(upload: UploadedVideo, transaction: Transaction): Promise<void> {
    const now = this.clock.now();
    const video: Video = {
      ...upload,
      ...{ status: 'processing', problem: '', durationMs: 0, width: 0, height: 0 },
      ...{ createdAt: now, dueAt: now, attempts: 0, deaths: 0, reason: '', deleted: false },
      version: nextVersion(undefined, this.clock),
    };
    await transaction.manager.insert(Video, video);
    await transaction.publish(videoTopic, toVideoState(video));
  }

  /** The ids of those that are due, the longest due first. */
  async listDue(limit: number): Promise<string[]> {
    const found = await this.dataSource.manager.find(Video, {
      select: { id: true },
      where: { dueAt: LessThanOrEqual(this.clock.now()) },
      order: { dueAt: 'ASC' },
      take: limit,
    });
    return found.map(({ id }) => id);
  }

  /** For operators: those that wait longest, or were uploaded last. */
  list(which: ListedVideos, limit: number): Promise<Video[]> {
    const { manager } = this.dataSource;
    const where = { deleted: false };
    if (which === 'due')
      return manager.find(Video, {
        where: { ...where, dueAt: Not(IsNull()) },
        order: { createdAt: 'ASC' },
        take: limit,
      });
    const chosen = which === 'failed' ? { ...where, status: 'failed' as const } : where;
    return manager.find(Video, { where: chosen, order: { createdAt: 'DESC' }, take: limit });
  }

  /** Milliseconds for which the oldest video that is not done has waited; 0 where all are. */
  async oldestMs(): Promise<number> {
    const [row] = await this.dataSource.query<{ since: Date | null }[]>(
      'SELECT min(created_at) AS since FROM videos WHERE due_at IS NOT NULL',
    );
    return row?.since ? Math.max(0, this.clock.now() - row.since.getTime()) : 0;
  }

  /** Takes a due video for `leaseMs`. Undefined: it is not due, has ended, another worker has it, or its owner has deleted it. */
  async claim(id: string, leaseMs: number): Promise<ClaimedVideo | undefined> {
    const now = this.clock.now();
    const [[row]] = await this.dataSource.query<[Omit<ClaimedVideo, 'dueAt'>[], number]>(
      `UPDATE videos SET due_at = $3, attempts = attempts + 1, deaths = deaths + 1
       WHERE id = $1 AND due_at <= $2
         AND EXISTS (SELECT FROM assets WHERE assets.id = $1 AND state IN ('ready', 'detached'))
       RETURNING id, owner_id AS "ownerId", type, bytes, attempts, deaths`,
      [id, new Date(now), new Date(now + leaseMs)],
    );
    return row && { ...row, dueAt: now + leaseMs };
  }

  /** Keeps a claim for `leaseMs` from now. False if it is lost. */
  async renew(claim: ClaimedVideo, leaseMs: number): Promise<boolean> {
    const dueAt = this.clock.now() + leaseMs;
    const isKept = await this.changeClaimed(claim, 'due_at = $3', new Date(dueAt));
    if (isKept) claim.dueAt = dueAt;
    return isKept;
  }

  /** Gives a claim back: the video is due again at `dueAt`. Nothing happens where the claim is lost. */
  async giveBack(claim: ClaimedVideo, dueAt: number, reason: string): Promise<void> {
    await this.changeClaimed(claim, 'due_at = $3, deaths = 0, reason = $4', new Date(dueAt), reason);
  }

  /** Makes a video that waits for its next attempt due now. False if none does: one that is in work is not disturbed. */
  async makeDue(id: string): Promise<boolean> {
    const [rows] = await this.dataSource.query<[{ id: string }[], number]>(
      'UPDATE videos SET due_at = $2, attempts = 0 WHERE id = $1 AND due_at IS NOT NULL AND deaths = 0 RETURNING id',
      [id, new Date(this.clock.now())],
    );
    return rows.length > 0;
  }

  /** Its files are stored. */
  async ready(claim: ClaimedVideo, stored: ReadyVideo): Promise<VideoEnd> {
    const end = await this.end(claim, stored.bytes, { ...stored, status: 'ready' });
    if (end !== 'full') return end;
    const failed = await this.fail(claim, VALIDATION_MESSAGES.quotaExceeded, 'it grew');
    return failed === 'ended' ? 'full' : failed;
  }

  /** It can never be shown, for a reason in words for its owner, and frees its quota (MEDIA-11). */
  fail(claim: ClaimedVideo, problem: string, reason: string): Promise<VideoEnd> {
    return this.end(claim, 0, { status: 'failed', problem, reason, bytes: 0 });
  }

  private async end(claim: ClaimedVideo, bytes: number, change: Partial<Video>): Promise<VideoEnd> {
    const { id, ownerId } = claim;
    try {
      return await this.writes.run(async (transaction) => {
        // The asset first, as where it is deleted.
        const settled = await this.assets.settle(id, ownerId, bytes, transaction);
        if (settled !== 'settled') return settled;
        const video = await locked(id, transaction.manager);
        if (video?.dueAt !== claim.dueAt) throw new ClaimLost();
        await this.save(video, { reason: '', ...change, dueAt: null, deaths: 0 }, transaction);
        return 'ended';
      });
    } catch (error) {
      if (error instanceof ClaimLost) return 'lost';
      throw error;
    }
  }

  private async save(video: Video, change: Partial<Video>, transaction: Transaction): Promise<void> {
    const changed: Video = { ...video, ...change, version: nextVersion(video.version, this.clock) };
    await transaction.manager.save(Video, changed);
    await transaction.publish(videoTopic, toVideoState(changed));
  }

  private async changeClaimed(
    { id, dueAt }: ClaimedVideo,
    set: string,
    ...values: unknown[]
  ): Promise<boolean> {
    const [rows] = await this.dataSource.query<[{ id: string }[], number]>(
      `UPDATE videos SET ${set} WHERE id = $1 AND due_at = $2 RETURNING id`,
      [id, new Date(dueAt), ...values],
    );
    return rows.length > 0;
  }
}

const locked = (id: string, manager: EntityManager) =>
  manager.findOne(Video, { where: { id }, lock: { mode: 'pessimistic_write' } });
