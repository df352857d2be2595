import { Injectable } from '@nestjs/common';
import { untilLessThan } from '@pulso/platform/jobs/delete-in-batches';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { archivesOf, isObjectOf } from '../store/archive.js';
import { type EndedArchive, EndedArchives } from '../store/ended-archives.js';

const BATCH = 100;
/** When one that could not be removed is tried again. */
const RETRY_MS = 60 * 60_000;

/** Removes archives that have expired, that their owners have deleted or replaced, and what kills have left of requests. */
@Injectable()
export class RemoveArchives {
  constructor(
    private readonly archives: EndedArchives,
    private readonly objects: ObjectStore,
    private readonly logger: Logger,
  ) {}

  async execute(stopping: AbortSignal): Promise<void> {
    await untilLessThan(BATCH, stopping, async () => {
      const taken = await this.archives.take(BATCH, RETRY_MS);
      for (const one of taken) {
        if (stopping.aborted) break;
        await this.tryToRemove(one);
      }
      return taken.length;
    });
  }

  /** Removes all archives of a user, in whatever state, and objects of theirs that no row names. Rejects where it cannot. */
  async removeAllOf(ownerId: string): Promise<void> {
    const taken = await this.archives.takeOf(ownerId);
    await this.removeObjects(ownerId, () => true);
    for (const { id } of taken) await this.archives.delete(id);
  }

  /** One that cannot be removed does not hold up the others. */
  private async tryToRemove({ id, ownerId }: EndedArchive): Promise<void> {
    try {
      await this.removeObjects(ownerId, (key) => isObjectOf({ id, ownerId }, key));
      await this.archives.delete(id);
    } catch (error) {
      this.logger.error({ err: error, archive: id }, 'the objects of an archive could not be removed');
    }
  }

  private async removeObjects(ownerId: string, isMeant: (key: string) => boolean): Promise<void> {
    for await (const { key } of this.objects.list(archivesOf(ownerId)))
      if (isMeant(key)) await this.objects.remove(key);
  }
}
