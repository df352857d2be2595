import type { Post } from '@pulso/contracts/posts/v1/posts';
import { type CachedFields, cachedFieldsOf, type NewPost, sizeOf } from '../store/post.js';
import { type Preview, previewOf } from './preview.js';

/**
 * A page of posts ends after the post with which it passes this `size` (HTTP-5): what a page costs is bounded by bytes, too,
 * as a hundred posts of the longest texts are some 4 MB. The largest post fits into an rpc's answer beside it.
 */
export const PAGE_BYTES = 500_000;

/** A post in memory. Its fields never change: a newer version replaces the whole. Only the views of it are added. */
export class CachedPost {
  /**
   * The views of the post that `PostViews.shared` has built, and the minute in which their addresses were signed; 0 where
   * these do not expire.
   */
  readonly views: (Post | undefined)[] = [];
  signedIn = 0;
  /** See `sizeOf`. */
  readonly size: number;
  private shortened: Preview | undefined;

  private constructor(readonly post: CachedFields) {
    this.size = sizeOf(post);
  }

  static of(post: NewPost): CachedPost {
    return new CachedPost(cachedFieldsOf(post));
  }

  /** Cached, because segmenting costs as much as the rest of a page. */
  get preview(): Preview {
    this.shortened ??= previewOf(this.post.content);
    return this.shortened;
  }
}
