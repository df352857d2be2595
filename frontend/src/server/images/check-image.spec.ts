import { describe, expect, it } from '@jest/globals';
import { ACCEPTED_IMAGES, checkImage, IMAGE_BYTES } from './check-image.js';

// Rule: MEDIA-1, MEDIA-21
describe('checkImage', () => {
  it.each(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])('takes %s, whatever its name', (type) => {
    expect(checkImage({ type, size: 1, name: 'photo' })).toBeUndefined();
    expect(ACCEPTED_IMAGES.split(',')).toContain(type);
  });

  it.each(['a.jpg', 'a.b.JPEG', 'a.png', 'a.webp', 'a.gif'])('takes %s without a type', (name) =>
    expect(checkImage({ type: '', size: 1, name })).toBeUndefined(),
  );

  it.each([
    { type: 'image/svg+xml', name: 'a.svg' },
    { type: 'image/heic', name: 'a.heic' },
    { type: 'text/html', name: 'a.jpg' },
    { type: '', name: 'a.bmp' },
    { type: '', name: 'jpg' },
    { type: '', name: 'toString' },
    { type: '' },
  ])('refuses the kind of %j', (file) => expect(checkImage({ ...file, size: 1 })).toBe('kind'));

  it('takes 10 MB and no byte more', () => {
    expect(IMAGE_BYTES).toBe(10_485_760);
    expect(checkImage({ type: 'image/png', size: IMAGE_BYTES })).toBeUndefined();
    expect(checkImage({ type: 'image/png', size: IMAGE_BYTES + 1 })).toBe('size');
  });
});
