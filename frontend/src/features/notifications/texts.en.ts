export const en = {
  notifications: {
    title: 'Notifications',
    empty: 'No notifications',
    loadFailed: 'Your notifications did not load.',
    isNew: 'New',
    /** What the person named before did. */
    did: {
      post_like: 'liked your post',
      comment: 'commented on your post',
      comment_like: 'liked your comment',
      mention: 'mentioned you',
      follow: 'started following you',
      subscription: 'subscribed to you',
      review: 'reviewed you',
    },
  },
} as const;
