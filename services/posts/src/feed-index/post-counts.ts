/** The likes and comments of a post. */
export interface PostCounts {
  likes: number;
  comments: number;
}

/** 20 bits of likes above 12 of comments. */
const COMMENT_BITS = 12;
const MAX_COMMENTS = (1 << COMMENT_BITS) - 1;
const MAX_LIKES = (1 << (32 - COMMENT_BITS)) - 1;
/** The word of a post whose counts do not fit. */
const COUNTED_ELSEWHERE = 0xffffffff;

/** Counts of posts in one word a post; those that do not fit are kept by the post's id. */
export class CountWords {
  private readonly elsewhere = new Map<string, PostCounts>();

  /** The word for these counts of a post. Call it for each change, also for a deletion (with zeros). */
  pack(postId: string, { likes, comments }: PostCounts): number {
    if (likes < MAX_LIKES && comments < MAX_COMMENTS) {
      if (this.elsewhere.size > 0) this.elsewhere.delete(postId);
      return ((likes << COMMENT_BITS) | comments) >>> 0;
    }
    this.elsewhere.set(postId, { likes, comments });
    return COUNTED_ELSEWHERE;
  }

  unpack(postId: string, word: number): PostCounts {
    if (word === COUNTED_ELSEWHERE) return this.elsewhere.get(postId)!;
    return { likes: word >>> COMMENT_BITS, comments: word & MAX_COMMENTS };
  }
}
