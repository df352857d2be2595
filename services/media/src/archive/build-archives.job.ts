import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ClaimLost, HeldClaim } from '@pulso/platform/jobs/held-claim';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { gauge } from '@pulso/platform/telemetry/metrics';
import { backoffMs } from '@pulso/platform/time/backoff';
import { Clock } from '@pulso/platform/time/clock';
import { Registry } from 'prom-client';
import {
  archiveKeyOf,
  archivesOf,
  type ClaimedArchive,
  documentKeyOf,
  isObjectOf,
} from '../store/archive.js';
import { ArchiveRepository } from '../store/archive.repository.js';
import { DiskRoom, NoRoom } from '../upload/disk-room.js';
import { ArchiveMembers } from './archive-members.js';
import { archiveZip } from './archive-zip.js';

/** Requests nudge the job: this is for what another process has left. */
const POLL_MS = 30_000;
/** Of one archive of 500 MB and more, from a store that is slow. One that was given up is begun again. */
const PASS_LIMIT_MS = 30 * 60_000;
const BACKOFF = { firstMs: 30_000, longestMs: 10 * 60_000 };
const MOST_ATTEMPTS = 5;
/** The longest pause before an archive is begun again whose process was killed. */
const LEASE_MS = 60_000;
const NOTED_EVERY_MS = 1_000;
/** Until the disk is looked at again where it has no room. */
const ROOM_PAUSE_MS = 60_000;
/** Timers may be early. */
const LATER_MS = 50;

/** The process ends. */
class Stopping extends Error {}

/**
 * Builds archives (ACCT-45), one at a time. Nothing of one that was not finished is used again: whatever ends in between, the next attempt
 * begins at its start, with an object of its own.
 */
@Injectable()
export class BuildArchives implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    private readonly archives: ArchiveRepository,
    private readonly members: ArchiveMembers,
    private readonly objects: ObjectStore,
    private readonly disk: DiskRoom,
    private readonly clock: Clock,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'building of archives',
      everyMs: POLL_MS,
      work: async (stopping) => {
        if (await this.execute(stopping)) this.loop.nudge();
      },
      logger,
      ref: false,
      limitMs: PASS_LIMIT_MS,
      registry,
    });
    gauge(registry, {
      name: 'pulso_archives',
      help: 'Archives of users by state: building, ready, failed',
      labelNames: ['state'],
      async collect() {
        const { building, ready, failed } = await archives.numbers();
        for (const [state, count] of Object.entries({ building, ready, failed })) this.set({ state }, count);
      },
    });
    gauge(registry, {
      name: 'pulso_archives_oldest_seconds',
      help: 'How long the oldest archive that is neither ready nor failed has waited since it was asked for; 0 where there is none',
      async collect() {
        this.set((await archives.numbers()).oldestMs / 1000);
      },
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.loop.nudge();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** There is one to build. */
  nudge(): void {
    this.loop.nudge();
  }

  /** Builds the one that has waited longest, so that each has the time of a pass. Whether one was due. */
  async execute(stopping: AbortSignal = new AbortController().signal): Promise<boolean> {
    const claimed = await this.archives.claim(LEASE_MS);
    if (claimed) await this.build(claimed, stopping);
    return claimed !== undefined;
  }

  private async build(claimed: ClaimedArchive, stopping: AbortSignal): Promise<void> {
    // Attempts whose processes were killed.
    if (claimed.attempts > MOST_ATTEMPTS) return this.fail(claimed, new Error('every attempt was killed'));
    const written = { bytes: 0 };
    const held = new HeldClaim({
      // With how far the work has come, which the user sees.
      renew: () => this.archives.keep(claimed, { done: written.bytes, total: claimed.totalBytes }, LEASE_MS),
      everyMs: NOTED_EVERY_MS,
      logger: this.logger,
      failure: 'the progress of an archive could not be noted',
      about: { archive: claimed.id },
    });
    try {
      await this.discardEarlier(claimed);
      await this.disk.require(claimed.totalBytes);
      await this.store(claimed, written, { lost: held.lost, stopping });
      await held.end();
      if (!(await this.archives.ready(claimed, written.bytes))) throw new ClaimLost('another process has it');
    } catch (error) {
      await held.end();
      return this.interrupted(claimed, error);
    }
    await this.discard(documentKeyOf(claimed));
  }

  /** Adds to `written` what it hands to the store. */
  private async store(
    claimed: ClaimedArchive,
    written: { bytes: number },
    { lost, stopping }: { lost: AbortSignal; stopping: AbortSignal },
  ): Promise<void> {
    const zip = archiveZip(this.members.of(claimed));
    const watched = async function* () {
      for await (const chunk of zip) {
        lost.throwIfAborted();
        if (stopping.aborted) throw endOf(stopping);
        written.bytes += chunk.length;
        yield chunk;
      }
    };
    await this.objects.putStream(archiveKeyOf(claimed), watched());
  }

  private async interrupted(claimed: ClaimedArchive, error: unknown): Promise<void> {
    // Where the commit was done and its answer lost, this is the object of an archive that is ready.
    if (await this.archives.isReady(claimed)) return;
    await this.discard(archiveKeyOf(claimed));
    if (error instanceof ClaimLost) return;
    const reason = textOf(error);
    const { id: archive, attempts } = claimed;
    const now = this.clock.now();
    // A deployment is no failure of the archive, nor is a full disk.
    const spared = attempts - 1;
    if (error instanceof Stopping)
      return void (await this.archives.giveBack(claimed, { dueAt: now, attempts: spared, reason }));
    const hasNoRoom = error instanceof NoRoom;
    if (!hasNoRoom && attempts >= MOST_ATTEMPTS) return this.fail(claimed, error);
    const pauseMs = hasNoRoom ? ROOM_PAUSE_MS : backoffMs(attempts, BACKOFF);
    const counted = hasNoRoom ? spared : attempts;
    await this.archives.giveBack(claimed, { dueAt: now + pauseMs, attempts: counted, reason });
    this.loop.within(pauseMs + LATER_MS);
    this.logger.warn({ err: error, archive, attempts }, 'an archive could not be built and is tried again');
  }

  private async fail(claimed: ClaimedArchive, error: unknown): Promise<void> {
    await this.archives.fail(claimed, textOf(error));
    const { id: archive, attempts } = claimed;
    this.logger.error({ err: error, archive, attempts }, 'an archive has failed');
    await this.discard(documentKeyOf(claimed));
  }

  /** What attempts have left whose processes were killed: each may be as large as the archive. */
  private async discardEarlier(claimed: ClaimedArchive): Promise<void> {
    const document = documentKeyOf(claimed);
    for await (const { key } of this.objects.list(archivesOf(claimed.ownerId)))
      if (isObjectOf(claimed, key) && key !== document) await this.objects.remove(key);
  }

  /** Where that fails, it goes with the archive's row. */
  private async discard(objectKey: string): Promise<void> {
    try {
      await this.objects.remove(objectKey);
    } catch (error) {
      this.logger.warn({ err: error, object: objectKey }, 'an object that no archive needs is removed later');
    }
  }
}

/** Why a pass ends early: the loop gives a reason where it has taken too long, and none where the process stops. */
const endOf = ({ reason }: AbortSignal): Error =>
  (reason as Error).name === 'AbortError' ? new Stopping('the process was stopped') : (reason as Error);

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
