/** The list of shortcuts; loaded with it. */
export const en = {
  keys: {
    title: 'Keyboard shortcuts',
    next: 'Next post',
    previous: 'Previous post',
    openPost: 'Open the post',
    like: 'Like the post',
    newPost: 'Write a new post',
    search: 'Search',
    help: 'Show this list',
    send: 'Post, comment, save an edit',
    escape: 'Close a dialog',
    enabled: 'Use keyboard shortcuts',
  },
} as const;
