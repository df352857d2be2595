import { ObjectStore } from '@pulso/platform/objects/object-store';
import { buffer } from 'node:stream/consumers';

/** Thumbnails and avatars are smaller; pictures are larger, and are sent as they are read. */
const SMALL_BYTES = 64 * 1024;
const KEPT_BYTES = 32 * 1024 * 1024;

/**
 * The bytes of small files, the latest 32 MiB of them in memory: a page of thumbnails then reads no file. An object never
 * changes, and who may see it is asked before each time.
 */
export class SmallFiles {
  /** In the order of their last use. */
  private readonly kept = new Map<string, Buffer>();
  private keptBytes = 0;

  constructor(
    private readonly objects: ObjectStore,
    private readonly mostBytes = KEPT_BYTES,
  ) {}

  /** What is in memory of the object; undefined where it is not. */
  get(key: string): Buffer | undefined {
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
    }
    return known;
  }

  /** The bytes of an object of `size` bytes; undefined if it is not small. Rejects as the object store does. */
  async read(key: string, size: number): Promise<Buffer | undefined> {
    if (size > SMALL_BYTES) return undefined;
    const known = this.get(key);
    if (known) return known;
    const bytes = await buffer(this.objects.read(key));
    if (!this.kept.has(key)) this.keptBytes += bytes.length;
    this.kept.set(key, bytes);
    for (const [oldest, { length }] of this.kept) {
      if (this.keptBytes <= this.mostBytes) break;
      this.kept.delete(oldest);
      this.keptBytes -= length;
    }
    return bytes;
  }
}
