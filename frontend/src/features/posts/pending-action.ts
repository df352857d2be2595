/** The beginning of the pending action of a visitor who pressed Like at a comment of this post; the comments are closed at first. */
export const likeCommentOf = (postId: string): string => `like-comment:${postId}:`;
