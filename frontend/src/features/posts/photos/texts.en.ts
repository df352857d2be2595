import { en as images } from '../../../server/images/texts.en.js';

/** The photos of a text that is being written; loaded with the first one. */
export const en = {
  ...images,
  photos: {
    title: 'Photos',
    choose: 'Choose photos',
    drop: 'or drop them here',
    add: 'Add photos',
    hint: 'JPEG, PNG, WebP or GIF, up to 10MB each and 10 a post. GIFs become still pictures.',
    none: 'No files selected.',
    tooMany: (most: number) => `Too many files. Maximum: ${most} images`,
    tooManyInEdit: (most: number, shown: number) =>
      `Too many images. Maximum ${most} images allowed. You currently have ${shown}.`,
    ofFile: (n: number, problem: string) => `File ${n}: ${problem}`,
    ofImage: (n: number, reason: string) => `Failed to process image ${n}: ${reason}`,
    processing: 'Processing images...',
    tooLong: (n: number) => `A text of photo ${n} is too long. Please shorten it.`,
    gone: (n: number) => `Photo ${n} is no longer available. Please remove it and choose it again.`,
    expired: (n: number) =>
      n === 1
        ? 'A photo of your draft is no longer available. Please choose it again.'
        : `${n} photos of your draft are no longer available. Please choose them again.`,
    notFreed: 'The photo is removed. Its storage is free again within a day.',
    position: (n: number, of: number) => `Photo ${n} of ${of}`,
    named: (position: string, alt: string) => (alt ? `${position}: ${alt}` : position),
    moveHint: 'Space picks it up, arrow keys move it, Enter opens its texts.',
    pickedUp: (n: number, of: number) =>
      `Photo ${n} of ${of} picked up. Arrow keys move it, Space drops it, Escape puts it back.`,
    movedTo: (n: number, of: number) => `Now photo ${n} of ${of}.`,
    droppedAt: (n: number, of: number) => `Dropped as photo ${n} of ${of}.`,
    putBack: (n: number, of: number) => `Put back as photo ${n} of ${of}.`,
    remove: (n: number) => `Remove photo ${n}`,
    removed: (left: number) =>
      left === 1 ? 'Removed. 1 photo is left.' : `Removed. ${left} photos are left.`,
    retry: 'Retry',
    retryOf: (n: number) => `Retry photo ${n}`,
    alt: 'ALT',
    textsOf: (n: number) => `Alt text and caption of photo ${n}`,
    altText: 'Alt text',
    altHint: 'For people who do not see the photo.',
    caption: 'Caption',
    captionHint: 'Shown under the photo in its large view.',
    done: 'Done',
  },
} as const;
