import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { userTopic } from '@pulso/contracts/topics/identity';
import { postTopic } from '@pulso/contracts/topics/posts';
import { type ConsistencyToken, recordWrite } from '@pulso/platform/context/request-context';
import { CachedRows } from '@pulso/platform/memory/cached-rows';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';

/** Media publishes nothing: this topic is in consistency tokens alone. */
const STORAGE_TOPIC = 'pulso.media.storage.v1';
/** What a user stores. */
const storageRow = (ownerId: string) => `storage ${ownerId}`;
/** Of whoever has the post or profile that an event is about. */
const ANY_STORAGE = 'storage';

/** SQL: the version of a write to an owner's storage, by the store's clock, as text. */
export const STORAGE_VERSION = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';

/** What this process has read of users' storage. All that changes the sum of an owner's assets tells it. */
@Injectable()
export class MediaRows extends CachedRows implements OnModuleDestroy {
  constructor(signals: Signals, clock: Clock) {
    super({ name: 'media', signals, clock, rowsOf: changedBy });
  }

  onModuleDestroy(): void {
    this.close();
  }

  /** The bytes that an owner stores, as `load` reads them or as they were kept. */
  async usedBy(ownerId: string, load: () => Promise<number>): Promise<number> {
    const rows = [storageRow(ownerId), ANY_STORAGE];
    const kept = await this.read(
      rows[0]!,
      () => rows,
      async () => ({ used: await load() }),
    );
    return kept!.used;
  }

  /** Call it after the commit. */
  storageChanged(...ownerIds: readonly string[]): void {
    this.changed(...new Set(ownerIds.map(storageRow)));
  }

  /** The same for a write of the caller, whose next request sees it at every replica (HTTP-3); of a `STORAGE_VERSION`. */
  ownStorageChanged(ownerId: string, version: string): void {
    this.storageChanged(ownerId);
    recordWrite({ topic: STORAGE_TOPIC, key: ownerId, version: Number(version) });
  }
}

/** Posts and profiles attach and free images. */
function changedBy({ topic, key }: ConsistencyToken): string[] {
  if (topic === STORAGE_TOPIC) return [storageRow(key)];
  return topic === postTopic.name || topic === userTopic.name ? [ANY_STORAGE] : [];
}
