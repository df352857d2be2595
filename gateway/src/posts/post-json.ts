import { Post } from '@pulso/contracts/posts/v1/posts';
import { LRUCache } from 'lru-cache';
import type { EncodedPostPage } from './feed-page.codec.js';
import { toPost } from './to-post.js';

const REMEMBERED_BYTES = 64 * 1024 * 1024;
/** Readers who like a post and who don't, its author, those without access; beyond that the oldest go. */
const VIEWS_PER_POST = 4;
/** The first field, the id: whatever it holds, it only says where to look. */
const PREFIX_BYTES = 38;

interface View {
  bytes: Buffer;
  text: string;
}

/**
 * Posts as JSON, remembered by the bytes they came in: the text depends on nothing else, and most posts of a feed's page
 * have been in somebody's page a moment ago, for whom decoding and writing them was most of the work.
 */
export class PostTexts {
  private readonly views = new LRUCache<string, View[]>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (views) => views.reduce((sum, { bytes, text }) => sum + bytes.length + text.length, 100),
  });

  /** The JSON of a `PostPage`. */
  page({ items, nextCursor }: EncodedPostPage): string {
    const posts = items.map((bytes) => this.textOf(bytes)).join(',');
    return `{"items":[${posts}],"nextCursor":${JSON.stringify(nextCursor === '' ? null : nextCursor)}}`;
  }

  private textOf(encoded: Uint8Array): string {
    const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    const prefix = bytes.toString('latin1', 0, PREFIX_BYTES);
    const views = this.views.get(prefix) ?? [];
    const known = views.find((view) => view.bytes.equals(bytes));
    if (known) return known.text;
    const text = JSON.stringify(toPost(Post.decode(encoded)));
    // A copy, since these bytes are a part of their page's.
    const made = { bytes: Buffer.from(bytes), text };
    this.views.set(prefix, [made, ...views.slice(0, VIEWS_PER_POST - 1)]);
    return text;
  }
}
