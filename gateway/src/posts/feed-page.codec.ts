import { PostsServiceService } from '@pulso/contracts/posts/v1/posts';
import { BinaryReader } from '@bufbuild/protobuf/wire';

/** A `PostPage` whose posts are still encoded. */
export interface EncodedPostPage {
  items: Uint8Array[];
  nextCursor: string;
}

/** Field numbers of `PostPage`. */
const ITEMS = 1;
const NEXT_CURSOR = 2;

/** Reads the bytes of a `PostPage` without decoding its posts. */
export function readFeedPage(bytes: Uint8Array): EncodedPostPage {
  const reader = new BinaryReader(bytes);
  const page: EncodedPostPage = { items: [], nextCursor: '' };
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === ITEMS) page.items.push(reader.bytes());
    else if (field === NEXT_CURSOR) page.nextCursor = reader.string();
    else reader.skip(wireType, field);
  }
  return page;
}

/** The contract of posts as the gateway calls it: a feed's posts are decoded only when they are new (`PostTexts`). */
export const POSTS_SERVICE = {
  name: 'pulso.posts.v1.PostsService',
  definition: {
    ...PostsServiceService,
    getFeed: { ...PostsServiceService.getFeed, responseDeserialize: readFeedPage },
  },
};
