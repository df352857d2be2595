import { Injectable } from '@nestjs/common';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { ClaimLost, HeldClaim } from '@pulso/platform/jobs/held-claim';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import type { Work } from '@pulso/platform/queue/work';
import { mediaChannel, Signals } from '@pulso/platform/signals/signals';
import { counter, gauge } from '@pulso/platform/telemetry/metrics';
import { backoffMs } from '@pulso/platform/time/backoff';
import { Clock } from '@pulso/platform/time/clock';
import { Registry } from 'prom-client';
import { objectKeyOf, VARIANTS_OF_KIND } from '../store/asset.js';
import { StoredPieces } from '../store/stored-pieces.js';
import { StoredVideos } from '../store/stored-videos.js';
import { type ClaimedVideo, type VideoEnd, VideoRepository } from '../store/video.repository.js';
import { VideoQueue } from '../video/video-queue.js';
import { MakeVideo } from './make-video.js';
import { VideoProblem } from './video-failures.js';
import { inWorkDirectory, removeWorkDirectories } from './work-directories.js';

/** The longest pause before a video is taken again whose worker was killed. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
const BACKOFF = { firstMs: 5_000, longestMs: 10 * 60_000 };
/** So many workers in a row that were killed while they had a video: it is the video that kills them. */
const MAX_DEATHS = 4;

/** The worker ends. */
class Stopping extends Error {}

type Outcome = 'ready' | 'failed' | 'retried' | 'given_back' | 'gone';

/**
 * Prepares videos (MEDIA-11). Progress is the row's state alone: whatever ends in between is done again from the beginning. An outage never
 * makes a video fail.
 */
@Injectable()
export class VideoWork implements Work {
  readonly queue = VideoQueue;
  /** One at a time, by one thread: a process has one core. */
  readonly concurrency = 1;
  private readonly stopping = new AbortController();
  private readonly outcomes;

  constructor(
    private readonly videos: VideoRepository,
    private readonly stored: StoredVideos,
    private readonly pieces: StoredPieces,
    private readonly objects: ObjectStore,
    private readonly make: MakeVideo,
    private readonly signals: Signals,
    private readonly clock: Clock,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.outcomes = counter(registry, {
      name: 'pulso_videos_total',
      help: 'Attempts at preparing videos by outcome',
      labelNames: ['outcome'],
    });
    gauge(registry, {
      name: 'pulso_videos_oldest_seconds',
      help: 'How long the oldest video that is neither ready nor failed has waited since its upload; 0 where there is none',
      async collect() {
        this.set((await videos.oldestMs()) / 1000);
      },
    });
  }

  /** What was left by workers that were killed. */
  onModuleInit(): Promise<void> {
    return removeWorkDirectories();
  }

  async due(limit: number): Promise<readonly string[]> {
    const [due, ended] = await Promise.all([this.videos.listDue(limit), this.pieces.listEnded(limit)]);
    return [...due, ...ended].slice(0, limit);
  }

  /** Gives back what is in work, which would last longer than a process has to end. */
  stop(): void {
    this.stopping.abort(new Stopping());
  }

  async perform(id: string): Promise<void> {
    const claim = await this.videos.claim(id, LEASE_MS);
    if (!claim) return this.tidy(id);
    if (claim.deaths > MAX_DEATHS) {
      const detail = `${MAX_DEATHS} workers were killed while they had it`;
      return this.fail(claim, new VideoProblem(VALIDATION_MESSAGES.videoNotPrepared, detail));
    }
    const held = new HeldClaim({
      renew: () => this.videos.renew(claim, LEASE_MS),
      everyMs: RENEW_MS,
      logger: this.logger,
      failure: 'the claim of a video could not be renewed',
      about: { video: id },
    });
    const signal = AbortSignal.any([held.lost, this.stopping.signal]);
    let end: VideoEnd;
    try {
      const ready = await inWorkDirectory((directory) => this.make.execute(claim, { directory, signal }));
      await held.end();
      end = await this.videos.ready(claim, ready);
    } catch (error) {
      await held.end();
      if (error instanceof VideoProblem) return this.fail(claim, error);
      return this.interrupted(claim, signal.aborted ? signal.reason : error);
    }
    await this.ended(claim, end, 'ready');
  }

  private async fail(claim: ClaimedVideo, { message, detail }: VideoProblem): Promise<void> {
    this.logger.info({ video: claim.id, problem: message, detail }, 'a video has failed');
    await this.ended(claim, await this.videos.fail(claim, message, detail), 'failed');
  }

  private async ended(claim: ClaimedVideo, end: VideoEnd, outcome: 'ready' | 'failed'): Promise<void> {
    const { id, ownerId } = claim;
    if (end === 'lost') return this.lost(claim);
    const isShown = end === 'ended' && outcome === 'ready';
    this.count(end === 'gone' ? 'gone' : isShown ? 'ready' : 'failed');
    if (end !== 'gone') this.signals.send(mediaChannel(ownerId, id));
    if (!isShown) await this.removeFiles(id);
    await this.pieces.remove(id);
  }

  private async interrupted(claim: ClaimedVideo, error: unknown): Promise<void> {
    if (error instanceof ClaimLost) return this.lost(claim);
    if (error instanceof Stopping) {
      await this.videos.giveBack(claim, this.clock.now(), 'the worker was stopped');
      return this.count('given_back');
    }
    const dueAt = this.clock.now() + backoffMs(claim.attempts, BACKOFF);
    const reason = error instanceof Error ? error.message : String(error);
    await this.videos.giveBack(claim, dueAt, reason);
    this.count('retried');
    const { id: video, attempts } = claim;
    this.logger.warn({ err: error, video, attempts }, 'a video could not be prepared and is tried again');
  }

  /** Another worker has it, whose files these are now; or it was deleted, and what has just been stored is nobody's. */
  private async lost({ id }: ClaimedVideo): Promise<void> {
    if (await this.stored.find(id)) return;
    this.count('gone');
    await this.removeFiles(id);
    await this.pieces.remove(id);
  }

  /** Where the last worker was killed after the end of a video. */
  private async tidy(id: string): Promise<void> {
    const video = await this.stored.find(id);
    if (video?.status === 'processing' || !(await this.pieces.exist(id))) return;
    if (video?.status !== 'ready') await this.removeFiles(id);
    await this.pieces.remove(id);
  }

  private async removeFiles(id: string): Promise<void> {
    for (const variant of VARIANTS_OF_KIND.video)
      await this.objects.remove(objectKeyOf(id, variant, 'video'));
  }

  private count(outcome: Outcome): void {
    this.outcomes.inc({ outcome });
  }
}
