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
export class SmallFiles {
  private readonly kept: LRUCache<string, Buffer>;

  constructor(
    private readonly objects: ObjectStore,
    mostBytes = KEPT_BYTES,
  ) {
    // The cache takes no size of 0.
    this.kept = new LRUCache({ maxSize: mostBytes, sizeCalculation: ({ length }) => Math.max(length, 1) });
  }

  /** What is in memory of the object; undefined where it is not. */
  get(key: string): Buffer | undefined {
    return this.kept.get(key);
  }

  /** The bytes of an object of `size` bytes; undefined if it is not small. Rejects as the object store does. */
  async read(key: string, size: number): Promise<Buffer | undefined> {
    if (size > SMALL_BYTES) return undefined;
    const known = this.get(key);
    if (known) return known;
    const bytes = await buffer(this.objects.read(key));
    this.kept.set(key, bytes);
    return bytes;
  }
}
