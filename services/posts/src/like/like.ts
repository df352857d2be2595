/** What is liked: a post, or a comment on one. */
export interface LikeTarget {
  targetId: string;
  postId: string;
  onComment: boolean;
  targetAuthorId: string;
}

/** The row of a user's like; also the key of its events. */
export function likeId(targetId: string, userId: string): string {
  return `${targetId}_${userId}`;
}
