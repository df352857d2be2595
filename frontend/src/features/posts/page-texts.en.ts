/** The page of a post; loaded with it. */
export const en = {
  page: {
    title: 'Post',
    back: 'Back',
    notFoundTitle: 'Post Not Found',
    notFoundText: "The post you're looking for doesn't exist or has been removed.",
    loadFailed: 'Failed to load post',
  },
} as const;
