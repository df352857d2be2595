import type { Image } from '../src/api/types.js';

export const anImage = (over: Partial<Image> = {}): Image => ({
  id: 'i1',
  url: '/media/i1/full',
  thumbnail: '/media/i1/thumbnail',
  alt: '',
  caption: '',
  blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
  metadata: {
    originalName: 'rowing.jpg',
    originalSize: 2_400_000,
    compressedSize: 310_000,
    compressionRatio: 7.74,
    dimensions: { width: 1920, height: 1080 },
  },
  ...over,
});
