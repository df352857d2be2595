import { PostPage } from '@pulso/contracts/posts/v1/posts';
import { rpcContracts } from '@pulso/contracts/rpc';
import type { MessageParts } from '@pulso/platform/rpc/service-definition';
import { BinaryReader } from '@bufbuild/protobuf/wire';

/** A `PostPage` whose posts are still encoded. */
export interface EncodedPostPage {
  /** Each a `PostPage` of one post: the post with its field's tag and length. */
  posts: MessageParts;
  nextCursor: string;
  /** Whether the same post, seen the same, has come as this very object before and will again. */
  shared: boolean;
}

/** Field numbers of `PostPage`. */
const ITEMS = 1;
const NEXT_CURSOR = 2;
const ITEMS_TAG = (ITEMS << 3) | 2;

/** Reads the bytes of a `PostPage` without decoding its posts. */
export function readFeedPage(bytes: Uint8Array): EncodedPostPage {
  const reader = new BinaryReader(bytes);
  const posts: Uint8Array[] = [];
  let nextCursor = '';
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [field, wireType] = reader.tag();
    if (field === NEXT_CURSOR) {
      nextCursor = reader.string();
      continue;
    }
    reader.skip(wireType, field);
    if (field === ITEMS) posts.push(bytes.subarray(start, reader.pos));
  }
  return { posts, nextCursor, shared: false };
}

/** The same for a page that comes as it left the service: a part for each post and one for the cursor. */
export function readFeedPageParts(parts: MessageParts): EncodedPostPage {
  const last = parts.at(-1);
  if (!last || last[0] === ITEMS_TAG) return { posts: parts, nextCursor: '', shared: true };
  return { posts: parts.slice(0, -1), nextCursor: PostPage.decode(last).nextCursor, shared: true };
}

/** The contract of posts as the gateway calls it: a feed's posts are decoded only when they are new (`PostJson`). */
export const postsContract = {
  ...rpcContracts.posts,
  definition: {
    ...rpcContracts.posts.definition,
    getFeed: {
      ...rpcContracts.posts.definition.getFeed,
      responseDeserialize: readFeedPage,
      responseDeserializeParts: readFeedPageParts,
    },
  },
};
