import { Injectable } from '@nestjs/common';
import type { Archive as ArchiveMessage } from '@pulso/contracts/media/v1/media';
import { requireCaller } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { KeyedSlots } from '@pulso/platform/limits/keyed-slots';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { KnownUsers } from '../projections/known-users.js';
import { type Archive, documentKeyOf } from '../store/archive.js';
import { ArchiveRepository } from '../store/archive.repository.js';
import { ArchivedFiles } from '../store/archived-files.js';
import { EndedArchives } from '../store/ended-archives.js';
import { DiskRoom } from '../upload/disk-room.js';
import { ArchiveView } from './archive-view.js';
import { BuildArchives } from './build-archives.job.js';
import { ROOM_STEP_BYTES, WholeDocument } from './whole-document.js';

/** Documents that come at once; each is in memory in parts of 8 MiB. Gateways have limits of their own. */
const SLOTS = { total: 8, waiting: 8, waitMs: 20_000 };

/**
 * Stores the document of the caller's export, and has an archive of it and the files built (ACCT-45). A document that was cut off, or whose
 * sender leaves, makes none. Throws `user-disabled`, `unprocessable`, `file-too-large`, `unavailable`, and the body's error.
 */
@Injectable()
export class RequestArchive {
  private readonly slots = new KeyedSlots(() => SLOTS);

  constructor(
    private readonly users: KnownUsers,
    private readonly archives: ArchiveRepository,
    private readonly ended: EndedArchives,
    private readonly files: ArchivedFiles,
    private readonly objects: ObjectStore,
    private readonly disk: DiskRoom,
    private readonly view: ArchiveView,
    private readonly building: BuildArchives,
    private readonly logger: Logger,
  ) {}

  async execute(body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<ArchiveMessage> {
    const { userId } = requireCaller();
    await this.users.requireActive(userId);
    const filesBytes = await this.files.bytesOf(userId);
    await this.disk.require(filesBytes);
    const release = await this.slots.take([{ key: userId, most: 1 }], signal);
    try {
      const archive = await this.receive(await this.archives.begin(userId), body, filesBytes);
      this.building.nudge();
      return this.view.of(archive);
    } finally {
      release();
    }
  }

  private async receive(
    begun: Pick<Archive, 'id' | 'ownerId'>,
    body: AsyncIterable<Buffer>,
    filesBytes: number,
  ): Promise<Archive> {
    // Other documents come at the same time, and all of them take room that was free when they were asked for.
    const document = new WholeDocument(body, () => this.disk.require(filesBytes + ROOM_STEP_BYTES));
    try {
      await this.objects.putStream(documentKeyOf(begun), document.read());
      const bytes = { document: document.bytes, total: document.bytes + filesBytes };
      const archive = await this.archives.received(begun, bytes);
      if (!archive) throw unavailable();
      return archive;
    } catch (error) {
      const archive = await this.giveUp(begun);
      if (archive) return archive;
      throw error;
    }
  }

  /**
   * Removes what came, unless an archive is built of it: then the answer to that was lost, and this is the archive. Where that fails, the job does
   * it once the row is due.
   */
  private async giveUp(begun: Pick<Archive, 'id' | 'ownerId'>): Promise<Archive | undefined> {
    try {
      const archive = await this.archives.giveUp(begun.id);
      if (archive) return archive;
      await this.objects.remove(documentKeyOf(begun));
      await this.ended.delete(begun.id);
    } catch (error) {
      this.logger.warn({ err: error, archive: begun.id }, 'what came of an archive is removed later');
    }
    return undefined;
  }
}
