import { Post, type PostPage, PostsServiceService } from '@pulso/contracts/posts/v1/posts';
import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** Tags of `PostPage`: field 1, then field 2, both length-delimited. */
const ITEMS_TAG = 10;
const NEXT_CURSOR_TAG = 18;
/** A tag of one byte and a length of five at most. */
const MAX_PREFIX_BYTES = 6;

const encoded = new WeakMap<Post, Uint8Array>();

/**
 * The bytes of a `PostPage`, as the generated code writes them. A feed's posts are shared by all who see the same of
 * them (`viewSharedPost`), so each is encoded once and copied from then on.
 */
export function encodeFeedPage({ items, nextCursor }: PostPage): Buffer {
  const posts = items.map(bytesOf);
  const cursor =
    nextCursor === ''
      ? new Uint8Array()
      : new BinaryWriter().uint32(NEXT_CURSOR_TAG).string(nextCursor).finish();
  const most = posts.reduce((sum, { byteLength }) => sum + byteLength + MAX_PREFIX_BYTES, cursor.byteLength);
  // The writer's own buffer would grow by doubling, copying the page at each step.
  const page = Buffer.allocUnsafe(most);
  let end = 0;
  for (const post of posts) {
    page[end++] = ITEMS_TAG;
    end = writeVarint(page, end, post.byteLength);
    page.set(post, end);
    end += post.byteLength;
  }
  page.set(cursor, end);
  return page.subarray(0, end + cursor.byteLength);
}

/** The service's definition with its one hot answer encoded by the above. */
export const POSTS_SERVICE = {
  name: 'pulso.posts.v1.PostsService',
  definition: {
    ...PostsServiceService,
    getFeed: { ...PostsServiceService.getFeed, responseSerialize: encodeFeedPage },
  },
};

function bytesOf(post: Post): Uint8Array {
  let bytes = encoded.get(post);
  if (!bytes) {
    bytes = Post.encode(post).finish();
    encoded.set(post, bytes);
  }
  return bytes;
}

function writeVarint(into: Buffer, at: number, value: number): number {
  let rest = value;
  let end = at;
  while (rest > 0x7f) {
    into[end++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  into[end++] = rest;
  return end;
}
