import { Post, type PostPage, PostsServiceService } from '@pulso/contracts/posts/v1/posts';
import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** Field 1 of `PostPage`, length-delimited; field 2 likewise. */
const ITEMS_TAG = 10;
const NEXT_CURSOR_TAG = 18;

const encoded = new WeakMap<Post, Uint8Array>();

/**
 * The bytes of a `PostPage`, as the generated code writes them. A feed's posts are shared by all who see the same of
 * them (`viewSharedPost`), so each is encoded once and copied from then on.
 */
export function encodeFeedPage({ items, nextCursor }: PostPage): Buffer {
  const writer = new BinaryWriter();
  for (const post of items) writer.uint32(ITEMS_TAG).bytes(bytesOf(post));
  if (nextCursor !== '') writer.uint32(NEXT_CURSOR_TAG).string(nextCursor);
  const { buffer, byteOffset, byteLength } = writer.finish();
  return Buffer.from(buffer, byteOffset, byteLength);
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
