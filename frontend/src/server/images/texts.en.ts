/** What can be wrong with an image, wherever one is chosen (MEDIA-1, MEDIA-5). */
export const en = {
  images: {
    kind: 'Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif',
    size: (megabytes: number) => `File too large. Maximum size: ${megabytes}MB`,
    load: 'Failed to load image',
    compress: 'Failed to compress image.',
    failed: 'Failed to process images. Please try again.',
    quotaExceeded: 'Storage quota exceeded',
  },
} as const;
