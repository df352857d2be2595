import { Post } from '@pulso/contracts/posts/v1/posts';
import { LRUCache } from 'lru-cache';
import type { EncodedPostPage } from './feed-page.codec.js';
import { toPost } from './to-post.js';

const REMEMBERED_BYTES = 64 * 1024 * 1024;

const OPEN = Buffer.from('{"items":[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from('],"nextCursor":');

/**
 * Posts as JSON, remembered by the bytes they came in: the text depends on nothing else, and most posts of a feed's page
 * have been in somebody's page a moment ago, for whom decoding and writing them was most of the work.
 */
export class PostTexts {
  private readonly texts = new LRUCache<string, Buffer>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (text, key) => text.byteLength + key.length,
  });

  /** The JSON of a `PostPage`, UTF-8. */
  page({ items, nextCursor }: EncodedPostPage): Buffer {
    const parts: Buffer[] = [OPEN];
    for (const [position, bytes] of items.entries()) {
      if (position > 0) parts.push(COMMA);
      parts.push(this.textOf(bytes));
    }
    parts.push(CLOSE, Buffer.from(`${JSON.stringify(nextCursor === '' ? null : nextCursor)}}`));
    return Buffer.concat(parts);
  }

  private textOf(bytes: Uint8Array): Buffer {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    let text = this.texts.get(key);
    if (!text) {
      text = Buffer.from(JSON.stringify(toPost(Post.decode(bytes))));
      this.texts.set(key, text);
    }
    return text;
  }
}
