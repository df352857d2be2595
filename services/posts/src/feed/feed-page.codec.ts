import { type Post, PostPage, PostsServiceService } from '@pulso/contracts/posts/v1/posts';

const encoded = new WeakMap<Post, Uint8Array>();

/**
 * The bytes of a `PostPage` in parts: a page for each post alone and one for the cursor, since protobuf messages end to
 * end are one message. A feed's posts are shared by all who see the same of them (`viewSharedPost`), so each is encoded
 * once.
 */
export function feedPageParts({ items, nextCursor }: PostPage): Uint8Array[] {
  const parts = items.map(partOf);
  if (nextCursor !== '') parts.push(PostPage.encode({ items: [], nextCursor }).finish());
  return parts;
}

/** The service's definition with its one hot answer encoded by the above. */
export const POSTS_SERVICE = {
  name: 'pulso.posts.v1.PostsService',
  definition: {
    ...PostsServiceService,
    getFeed: { ...PostsServiceService.getFeed, responseSerializeParts: feedPageParts },
  },
};

function partOf(post: Post): Uint8Array {
  let part = encoded.get(post);
  if (!part) {
    part = PostPage.encode({ items: [post], nextCursor: '' }).finish();
    encoded.set(post, part);
  }
  return part;
}
