/** The edit dialog; loaded with it. */
export const en = {
  edit: {
    title: 'Edit post',
    content: 'Content',
    save: 'Save changes',
    saving: 'Saving...',
    either: 'A post has photos or a video.',
    empty: 'Post must have content or at least one image',
    updated: 'Post updated successfully!',
    failed: 'Failed to update post. Please try again.',
  },
} as const;
