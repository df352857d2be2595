import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { Clock } from '@pulso/platform/time/clock';
import { Registry } from 'prom-client';
import { MessageRepository } from '../store/message.repository.js';
import { MessageWriter } from './message-writer.js';

const BATCH_SIZE = 100;
const POLL_MS = 5_000;
/** The pass of a start with a hundred thousand messages takes some minutes. The start fails after this time. */
const MAX_PASS_MS = 10 * 60_000;
/** The writer of a younger message may still fold it, or has, and clears its mark with its next pass. */
const WRITER_MS = 2 * POLL_MS;

/**
 * Folds messages whose writer has ended, or failed, after the insert. At the start all of them are folded before anything
 * is served, so that a crash leaves no message that its receiver does not see.
 */
@Injectable()
export class FoldMessages implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;
  private isFirstPass = true;

  constructor(
    private readonly messages: MessageRepository,
    private readonly writer: MessageWriter,
    private readonly clock: Clock,
    logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'folding of messages into their conversations',
      everyMs: POLL_MS,
      work: (stopping) => this.run(stopping),
      logger,
      limitMs: MAX_PASS_MS,
      registry,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.loop.pass();
    this.isFirstPass = false;
    this.loop.start();
  }

  /** A regular pass, now. */
  pass(): Promise<void> {
    return this.loop.pass();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
    await this.messages.clearFolded();
  }

  private async run(stopping: AbortSignal): Promise<void> {
    const createdBefore = this.isFirstPass ? undefined : new Date(this.clock.now() - WRITER_MS);
    while (!stopping.aborted) {
      await this.messages.clearFolded();
      const found = await this.messages.listUnfolded(BATCH_SIZE, createdBefore);
      for (const message of found) {
        if (stopping.aborted) return;
        await this.writer.fold(message);
      }
      if (found.length < BATCH_SIZE) return this.messages.clearFolded();
    }
  }
}
