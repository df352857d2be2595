import { Injectable } from '@nestjs/common';
import { videoTopic } from '@pulso/contracts/topics/media';
import { EVENTS_KEPT_MS } from '@pulso/platform/events/event-bus';
import { nextVersion } from '@pulso/platform/events/version';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource, type EntityManager } from 'typeorm';
import { AssetRepository } from './asset.repository.js';
import { toVideoState, Video } from './video.entity.js';

/** What has become of videos, for those who show, claim and remove them. */
@Injectable()
export class StoredVideos {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writes: Writes,
    private readonly assets: AssetRepository,
    private readonly clock: Clock,
  ) {}

  /** Undefined before its upload is whole, and once it is deleted. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<Video | undefined> {
    return (await manager.findOneBy(Video, { id, deleted: false })) ?? undefined;
  }

  /** Deletes the row of an asset whose files are removed, and publishes that its video is gone. An upload in pieces was none yet. */
  async bury(id: string): Promise<void> {
    await this.writes.run(async (transaction) => {
      const { manager } = transaction;
      await this.assets.delete(id, manager);
      const video = await manager.findOne(Video, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!video || video.deleted) return;
      const version = nextVersion(video.version, this.clock);
      const gone: Video = { ...video, deleted: true, dueAt: null, version };
      await manager.update(Video, { id }, { deleted: true, dueAt: null, version });
      await transaction.publish(videoTopic, toVideoState(gone));
    });
  }

  /** Empties what stays of an owner's videos that are gone: the names of files, and what operators were told. */
  async forgetNamesOf(ownerId: string): Promise<void> {
    await this.dataSource.query(
      "UPDATE videos SET name = '', problem = '', reason = '' WHERE owner_id = $1 AND deleted",
      [ownerId],
    );
  }

  /** Forgets videos that are gone, once no event tells of them any more. A version is the microsecond of its write, or later. */
  async purge(stopping: AbortSignal): Promise<void> {
    const old = { table: 'videos', where: 'deleted AND version <= $1', oldestBy: 'version' };
    const parameters = [(this.clock.now() - EVENTS_KEPT_MS) * 1000];
    await deleteInBatches(this.dataSource, { ...old, parameters }, stopping);
  }
}
