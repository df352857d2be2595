import { ObjectStore } from '@pulso/platform/objects/object-store';
import { LRUCache } from 'lru-cache';
import { buffer } from 'node:stream/consumers';

/** Thumbnails and avatars are smaller; pictures are larger, and are sent as they are read. */
const SMALL_BYTES = 64 * 1024;
const KEPT_BYTES = 32 * 1024 * 1024;

/**
 * The bytes of small files, the latest 32 MiB of them in memory: a page of thumbnails then reads no file. An object never
 * changes, and who may see it is asked before each time.
 */
export class SmallObjects {
  private readonly kept: LRUCache<string, Buffer>;

  constructor(objects: ObjectStore, mostBytes = KEPT_BYTES) {
    this.kept = new LRUCache({
      maxSize: mostBytes,
      // The cache takes no size of 0.
      sizeCalculation: ({ length }) => Math.max(length, 1),
      fetchMethod: (key) => buffer(objects.read(key)),
      // One that must make room while it is read is still given to those who asked.
      ignoreFetchAbort: true,
    });
  }

  /** What is in memory of the object; undefined where it is not. */
  get(key: string): Buffer | undefined {
    return this.kept.get(key);
  }

  /** The bytes of an object of `size` bytes; undefined if it is not small. Rejects as the object store does. */
  async read(key: string, size: number): Promise<Buffer | undefined> {
    // Those who ask for it at once share one reading.
    return size > SMALL_BYTES ? undefined : this.kept.fetch(key);
  }
}
