import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { unsupportedImage } from '../store/asset-errors.js';
import type { AssetPurpose } from '../store/asset.js';
import { kindOf } from './picture-kinds.js';
import { PictureLimits } from './picture-limits.js';
import type { Picture } from './picture-messages.js';
import { type PictureOutcome, PictureProcess } from './picture-process.js';

interface Idle {
  worker: PictureProcess;
  timer: NodeJS.Timeout;
}

/**
 * Has pictures worked on outside of this process: whatever a file does to its decoder holds up nobody else, and what takes too much
 * ends with that process alone (MEDIA-3). As many processes as pictures at once, which the caller bounds; they are started when
 * they are needed, and end when they have had no work for a while.
 */
@Injectable()
export class PictureProcesses implements OnModuleDestroy {
  private readonly running = new Set<PictureProcess>();
  /** The latest is used first, so that the others get their rest. */
  private readonly idle: Idle[] = [];

  constructor(
    private readonly limits: PictureLimits,
    private readonly logger: Logger,
  ) {}

  /**
   * The picture at our sizes, and the processor time that it took. Throws `unsupported-media` where the file is to blame, also for what
   * it took, `unavailable` where it took too long, and any other error where the machine is to blame.
   */
  async render(bytes: Buffer, purpose: AssetPurpose): Promise<{ picture: Picture; cpuMs: number }> {
    if (!kindOf(bytes)) throw unsupportedImage();
    const outcome = await this.workOn(bytes, purpose);
    switch (outcome.kind) {
      case 'done':
        return outcome;
      case 'refused':
        throw unsupportedImage();
      case 'over':
      case 'ended':
        this.logger.warn(
          { outcome, bytes: bytes.length },
          'a picture has ended the process that worked on it',
        );
        throw unsupportedImage();
      case 'late':
        this.logger.warn({ bytes: bytes.length }, 'a picture took too long');
        throw unavailable();
      case 'failed':
        throw new Error(outcome.message);
    }
  }

  /** The ids of the processes. */
  get pids(): number[] {
    return [...this.running].flatMap(({ pid }) => pid ?? []);
  }

  onModuleDestroy(): void {
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    for (const worker of this.running) worker.kill();
  }

  private async workOn(bytes: Buffer, purpose: AssetPurpose): Promise<PictureOutcome> {
    const used = this.takeIdle();
    if (used) {
      const outcome = await this.workIn(used, bytes, purpose);
      // It has ended by itself since its last picture.
      if (outcome.kind !== 'ended' || outcome.begun) return outcome;
    }
    const outcome = await this.workIn(this.start(), bytes, purpose);
    if (outcome.kind === 'ended' && !outcome.begun)
      throw new Error(`A process for pictures could not be started: ${outcome.how}`);
    return outcome;
  }

  private async workIn(
    worker: PictureProcess,
    bytes: Buffer,
    purpose: AssetPurpose,
  ): Promise<PictureOutcome> {
    const outcome = await worker.work({ bytes, purpose });
    const isGood =
      outcome.kind === 'refused' ||
      (outcome.kind === 'done' && outcome.memoryBytes <= this.limits.restingBytes);
    if (isGood && this.running.has(worker)) this.keep(worker);
    else worker.kill();
    return outcome;
  }

  private start(): PictureProcess {
    const worker: PictureProcess = new PictureProcess(this.limits, () => {
      this.running.delete(worker);
      this.forget(worker);
    });
    this.running.add(worker);
    return worker;
  }

  private keep(worker: PictureProcess): void {
    const timer = setTimeout(() => {
      this.forget(worker);
      worker.kill();
    }, this.limits.idleMs).unref();
    this.idle.push({ worker, timer });
  }

  private takeIdle(): PictureProcess | undefined {
    const taken = this.idle.pop();
    clearTimeout(taken?.timer);
    return taken?.worker;
  }

  private forget(worker: PictureProcess): void {
    const index = this.idle.findIndex((one) => one.worker === worker);
    if (index < 0) return;
    clearTimeout(this.idle[index]!.timer);
    this.idle.splice(index, 1);
  }
}
