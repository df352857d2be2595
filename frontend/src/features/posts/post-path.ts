export const postPath = (postId: string): string => `/post/${postId}`;
