/** Begins what a visitor meant by the Like of a comment of this post, which stands in a conversation that is closed at first. */
export const likeCommentOf = (postId: string): string => `like-comment:${postId}:`;
