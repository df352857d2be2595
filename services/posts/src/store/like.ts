/** The target of a like: a post, or a comment on one. */
export interface LikeTarget {
  targetId: string;
  postId: string;
  onComment: boolean;
  targetAuthorId: string;
}

/** The id of a like's row, which is also the key of its events. */
export function likeId(targetId: string, userId: string): string {
  return `${targetId}_${userId}`;
}
