import { PostPage } from '@pulso/contracts/posts/v1/posts';
import { LRUCache } from 'lru-cache';
import { apiCursor } from '../http/bodies/list-query.js';
import type { EncodedPostPage } from './decode-feed-page.js';
import { toPost } from './to-post.js';

const REMEMBERED_BYTES = 64 * 1024 * 1024;
/** Readers who like a post and who don't, its author, those without access; beyond that the oldest go. */
const VIEWS_PER_POST = 4;
/** Length of the prefix, through the id field, that is the cache's key; a hit still compares all bytes. */
const PREFIX_BYTES = 42;

const HEAD = Buffer.from('{"items":[');
const COMMA = ','.charCodeAt(0);

/** Both in memory of their own: a piece of Node's pool would keep all of it. */
interface View {
  bytes: Uint8Array;
  json: Uint8Array;
}

const encoder = new TextEncoder();

/**
 * Posts as JSON, remembered by what they came as: it depends on nothing else, and most posts of a feed's page have been
 * in somebody's page a moment ago, for whom decoding and writing them was most of the work. UTF-8 from the start, since
 * a string would be measured, encoded and copied for each answer.
 */
export class PostJson {
  /** Of posts that come as the same object each time; kept as long as that is. */
  private readonly shared = new WeakMap<Uint8Array, Uint8Array>();
  /** Of posts that came over a wire, by their bytes. */
  private readonly views = new LRUCache<string, View[]>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (views) => views.reduce((sum, { bytes, json }) => sum + bytes.length + json.length, 100),
  });

  /** The JSON of a `PostPage`. */
  page({ posts, nextCursor, shared }: EncodedPostPage): Buffer {
    const tail = `],"nextCursor":${JSON.stringify(apiCursor(nextCursor))}}`;
    const items = posts.map((encoded) => (shared ? this.jsonOfShared(encoded) : this.jsonOf(encoded)));
    const most = items.reduce((sum, { length }) => sum + length + 1, HEAD.length + 3 * tail.length);
    const page = Buffer.allocUnsafe(most);
    let end = HEAD.copy(page);
    for (const [index, item] of items.entries()) {
      if (index > 0) page[end++] = COMMA;
      page.set(item, end);
      end += item.length;
    }
    end += page.write(tail, end);
    return page.subarray(0, end);
  }

  private jsonOfShared(encoded: Uint8Array): Uint8Array {
    let json = this.shared.get(encoded);
    if (!json) {
      json = jsonOf(encoded);
      this.shared.set(encoded, json);
    }
    return json;
  }

  private jsonOf(encoded: Uint8Array): Uint8Array {
    const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    const prefix = bytes.toString('latin1', 0, PREFIX_BYTES);
    // The oldest entry is evicted, not the least recently used: tracking use would cost as much as the lookup.
    const views = this.views.peek(prefix) ?? [];
    const known = views.find((view) => bytes.equals(view.bytes));
    if (known) return known.json;
    const json = jsonOf(encoded);
    // A copy: a view would keep the bytes of its whole page in memory.
    const made = { bytes: new Uint8Array(encoded), json };
    this.views.set(prefix, [made, ...views.slice(0, VIEWS_PER_POST - 1)]);
    return json;
  }
}

function jsonOf(encoded: Uint8Array): Uint8Array {
  return encoder.encode(JSON.stringify(toPost(PostPage.decode(encoded).items[0]!)));
}
