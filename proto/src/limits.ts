/**
 * Lengths and counts that both the gateway and the services check; the browser gets them from the OpenAPI document.
 * `max` of a text counts code points after trimming, `multiline` allows line breaks and tabs, `joiners` allows format
 * characters (emoji, Persian), which are refused if look-alikes could deceive.
 */
export const TEXT_LIMITS = {
  name: { max: 80, multiline: false, joiners: false },
  username: { max: 30, multiline: false, joiners: false },
  email: { max: 254, multiline: false, joiners: false },
  bio: { max: 2000, multiline: true, joiners: true },
  specialty: { max: 40, multiline: false, joiners: true },
  post: { max: 10_000, multiline: true, joiners: true },
  comment: { max: 2000, multiline: true, joiners: true },
  message: { max: 4000, multiline: true, joiners: true },
  review: { max: 2000, multiline: true, joiners: true },
  reportNote: { max: 1000, multiline: true, joiners: true },
  search: { max: 100, multiline: false, joiners: true },
  alt: { max: 1000, multiline: true, joiners: true },
  caption: { max: 500, multiline: true, joiners: true },
  url: { max: 2048, multiline: false, joiners: false },
} as const;

export const USERNAME_MIN = 3;
/** Lengths in code points. PASSWORD_MIN_LENGTH may require more than `min`, never less. */
export const PASSWORD = { min: 6, max: 128 } as const;
/** `given` limits the entries of a request, including duplicates and empty ones. */
export const SPECIALTIES = { max: 20, given: 100 } as const;
export const POST_IMAGES_MAX = 10;
export const MEDIA_ID_MAX = 64;
export const RATING = { min: 1, max: 5 } as const;
/** In major units. */
export const PRICE = { min: 0, max: 100_000, step: 0.5 } as const;
export const CURRENCIES = ['MXN', 'USD'] as const;
export const PAGE_SIZE = { usual: 20, max: 100 } as const;
/** The maximum number of field errors in one response: more do not help, and gRPC carries them in headers. */
export const ERRORS_TOLD = 25;

/** The message of each rule, the same in every layer. */
export const REFUSALS = {
  /** `field` is the field's name in the API: `currentPassword` reads "Current password". */
  required: (field: string) => `${labelOf(field)} is required`,
  pageSize: `Must be a whole number from 1 to ${PAGE_SIZE.max}`,
  email: 'Please enter a valid email address',
  username: `Use ${USERNAME_MIN} to ${TEXT_LIMITS.username.max} letters, numbers and inner dashes`,
  passwordTooShort: (min: number) => `Password must be at least ${min} characters`,
  passwordTooLong: `Password must be at most ${PASSWORD.max} characters`,
  specialties: `Choose at most ${SPECIALTIES.max} specialties`,
  priceTooSmall: `Price must be at least ${PRICE.min}`,
  priceTooBig: `Price must be at most ${PRICE.max}`,
  priceStep: `Price must be a multiple of ${PRICE.step}`,
  currency: `Currency must be ${CURRENCIES.join(' or ')}`,
  emptyPost: 'Please add some content, images, or video to your post.',
  emptyEdit: 'Post must have content or at least one image',
  tooManyImages: `Too many files. Maximum: ${POST_IMAGES_MAX} images`,
  videoUrl: 'Please enter a valid URL',
  emptyComment: 'Please write a comment.',
  rating: `Please select a rating between ${RATING.min} and ${RATING.max} stars`,
  emptyReview: 'Please write a comment for your review',
} as const;

function labelOf(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
