import { Injectable } from '@nestjs/common';
import { Logger } from '@pulso/platform/logging/logger';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { untilLessThan } from '@pulso/platform/jobs/delete-in-batches';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { ALL_VARIANTS, objectKeyOf, RECEIVING_MS } from '../store/asset.js';
import { ClaimRepository } from '../store/claim.repository.js';

const BATCH = 100;
/** When a file that could not be removed is tried again. */
const RETRY_MS = 60 * 60_000;

/** Removes the files of assets that nobody has: abandoned, detached and deleted ones (MEDIA-14), and what kills have left. */
@Injectable()
export class RemoveAssets {
  constructor(
    private readonly dataSource: DataSource,
    private readonly objects: ObjectStore,
    private readonly claims: ClaimRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async execute(stopping: AbortSignal): Promise<void> {
    await untilLessThan(BATCH, stopping, async () => {
      const ids = await this.take();
      for (const id of ids) {
        if (stopping.aborted) break;
        await this.remove(id);
      }
      return ids.length;
    });
    await this.claims.purge(stopping);
    if (!stopping.aborted) await this.objects.removeLeftovers(RECEIVING_MS, stopping);
  }

  /** From now on no event revives them. What a kill leaves of this work is due again. */
  private async take(): Promise<string[]> {
    const now = this.clock.now();
    const [rows] = await this.dataSource.query<[{ id: string }[], number]>(
      `UPDATE assets SET state = 'removing', expires_at = $2 WHERE id IN (
         SELECT id FROM assets WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [new Date(now), new Date(now + RETRY_MS)],
    );
    return rows.map(({ id }) => id);
  }

  /** One that cannot be removed does not hold up the others. */
  private async remove(id: string): Promise<void> {
    try {
      for (const variant of ALL_VARIANTS) await this.objects.remove(objectKeyOf(id, variant));
      await this.dataSource.query("DELETE FROM assets WHERE id = $1 AND state = 'removing'", [id]);
    } catch (error) {
      this.logger.error({ err: error, asset: id }, 'the files of an image could not be removed');
    }
  }
}
