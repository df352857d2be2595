import { type Post, PostPage } from '@pulso/contracts/posts/v1/posts';

/** Field 2 of `PostPage`, length-delimited. */
const NEXT_CURSOR_TAG = (2 << 3) | 2;
/** A greater length takes two bytes. */
const MAX_ONE_BYTE_LENGTH = 127;

const encoded = new WeakMap<Post, Uint8Array>();

/**
 * The bytes of a `PostPage` in parts: one page for each post and one for the cursor, because concatenated protobuf
 * messages are one message. All viewers who see the same of a post share it (`PostViews.shared`), so each post is
 * encoded once. A new field of a post needs no change here.
 */
export function encodeFeedPage({ items, nextCursor }: PostPage): Uint8Array[] {
  const parts = items.map(partOf);
  if (nextCursor !== '') parts.push(cursorPart(nextCursor));
  return parts;
}

/**
 * Encoded by hand while it is short, as cursors under a `kid` of up to 15 are: a writer and its buffers would cost as
 * much as the rest.
 */
function cursorPart(nextCursor: string): Uint8Array {
  const { length } = nextCursor;
  if (length > MAX_ONE_BYTE_LENGTH || Buffer.byteLength(nextCursor) !== length) {
    return PostPage.encode({ items: [], nextCursor }).finish();
  }
  const part = Buffer.allocUnsafe(2 + length);
  part[0] = NEXT_CURSOR_TAG;
  part[1] = length;
  part.write(nextCursor, 2, 'latin1');
  return part;
}

function partOf(post: Post): Uint8Array {
  let part = encoded.get(post);
  if (!part) {
    part = PostPage.encode({ items: [post], nextCursor: '' }).finish();
    encoded.set(post, part);
  }
  return part;
}
