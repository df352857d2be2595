/**
 * Lengths and counts (HTTP-12) that both the gateway and the services check; the browser gets them from the OpenAPI document.
 * `max` of a text counts code points of what is stored, `multiline` allows line breaks, tabs and runs of blanks, `joiners` allows
 * invisible characters (emoji, Persian), which are refused if look-alikes could deceive.
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
/** The fewest letters of a people search (PEOPLE-17). */
export const PEOPLE_SEARCH_MIN = 2;

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
/**
 * Regular expressions, in the syntax of JSON Schema, of what is trimmed and lower-cased before it is compared. The
 * e-mail address is what browsers accept in an e-mail input (HTML, "valid e-mail address"), restricted to dotted
 * domains and without leading, trailing or double dots; only a delivered mail proves the rest.
 */
export const PATTERNS = {
  username: '^\\s*[A-Za-z0-9][A-Za-z0-9-]{1,28}[A-Za-z0-9]\\s*$',
  email: `^\\s*(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+\\s*$`,
} as const;
/** Lengths in code points, within which PASSWORD_MIN_LENGTH and PASSWORD_MAX_LENGTH may be set. */
export const PASSWORD = { min: 6, max: 128 } as const;
/** What a password must contain where the policy says so (ACCT-7). A space is a special character. */
export const PASSWORD_REQUIREMENTS = {
  requireLowercase: /\p{Ll}/u,
  requireUppercase: /\p{Lu}/u,
  requireNumeric: /\p{N}/u,
  requireNonAlphanumeric: /[^\p{L}\p{N}]/u,
} as const;
/** `given` limits the entries of a request, including duplicates and empty ones. */
export const SPECIALTIES = { max: 20, given: 100 } as const;
/** `max` of an account (LIMIT-19); `transports` of one, in a request. */
export const PASSKEYS = { max: 20, transports: 10 } as const;
export const POST_IMAGES_MAX = 10;
/** Of an uploaded image; `originalName` in code points. */
export const IMAGE = { maxBytes: 10 * 1024 * 1024, originalNameMax: 255 } as const;
/** Of an uploaded video. Up to `oneRequestBytes` it comes in one request, above that resumably (MEDIA-9); `nameMax` in code points. */
export const VIDEO = {
  maxBytes: 50 * 1024 * 1024,
  oneRequestBytes: 256 * 1024,
  nameMax: 255,
  types: ['video/mp4', 'video/webm', 'video/ogg'],
} as const;
/** Of an import (ACCT-46): `…Max` of an account (LIMIT-21; of texts in UTF-8), `…AtOnce` of a request, `since` in ms since the epoch. */
export const IMPORT = {
  postsMax: 10_000,
  commentsMax: 50_000,
  textBytesMax: 20_000_000,
  postsAtOnce: 20,
  commentsAtOnce: 100,
  idsAtOnce: 200,
  since: Date.UTC(2000, 0, 1),
} as const;
export const MEDIA_ID_MAX = 64;
export const RATING = { min: 1, max: 5 } as const;
/** In major units. */
export const PRICE = { min: 0, max: 100_000, step: 0.5 } as const;
export const CURRENCIES = ['MXN', 'USD'] as const;
/** Of mails; the first is that of users who have not chosen one. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
/** The language of that name, else the first. */
export const languageOf = (name: string | undefined): Language =>
  LANGUAGES.find((known) => known === name) ?? LANGUAGES[0];
/** The kinds of mails that a user can switch off (MAIL-6), by their names in the API and in unsubscribe tokens. */
export const OPTIONAL_EMAILS = ['subscriptions', 'security'] as const;
export type OptionalEmails = (typeof OPTIONAL_EMAILS)[number];
/** The most characters of a list's cursor in a request; no service may seal a longer one. */
export const MAX_CURSOR_LENGTH = 2048;

/** Items per page (HTTP-5). */
export const PAGE_SIZE = { usual: 20, max: 100 } as const;
/** The maximum number of field errors in one response: more do not help, and rpcs carry them in headers. */
export const MAX_REPORTED_ERRORS = 25;

/** The message of each rule, the same in every layer. */
export const VALIDATION_MESSAGES = {
  /** `field` is the field's name in the API: `currentPassword` reads "Current password". */
  required: (field: string) => `${labelOf(field)} is required`,
  pageSize: `Must be a whole number from 1 to ${PAGE_SIZE.max}`,
  email: 'Please enter a valid email address',
  username: `Use ${USERNAME_MIN} to ${TEXT_LIMITS.username.max} letters, numbers and inner dashes`,
  peopleSearch: `Type at least ${PEOPLE_SEARCH_MIN} letters`,
  passwordTooShort: (min: number) => `Password must be at least ${min} characters`,
  passwordTooLong: (max: number) => `Password must be at most ${max} characters`,
  passwordLacks: {
    requireLowercase: 'Password must contain a lowercase letter',
    requireUppercase: 'Password must contain an uppercase letter',
    requireNumeric: 'Password must contain a number',
    requireNonAlphanumeric: 'Password must contain a special character',
  },
  specialties: `Choose at most ${SPECIALTIES.max} specialties`,
  transports: `Name at most ${PASSKEYS.transports} transports`,
  priceTooSmall: `Price must be at least ${PRICE.min}`,
  priceTooBig: `Price must be at most ${PRICE.max}`,
  priceStep: `Price must be a multiple of ${PRICE.step}`,
  currency: `Currency must be ${CURRENCIES.join(' or ')}`,
  language: `Language must be ${LANGUAGES.join(' or ')}`,
  emptyPost: 'Please add some content, images, or video to your post.',
  emptyEdit: 'Post must have content or at least one image',
  tooManyImages: `Too many files. Maximum: ${POST_IMAGES_MAX} images`,
  tooManyImagesInEdit: (given: number) =>
    `Too many images. Maximum ${POST_IMAGES_MAX} images allowed. You currently have ${given}.`,
  repeatedImage: 'A post shows each image once.',
  imageKind: 'Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif',
  imageTooLarge: `File too large. Maximum size: ${IMAGE.maxBytes / (1024 * 1024)}MB`,
  videoKind: 'Invalid file type. Allowed: .mp4, .webm, .ogg',
  videoTooLarge: `File too large. Maximum size: ${VIDEO.maxBytes / (1024 * 1024)}MB`,
  videoNotPrepared: 'Failed to prepare video. Please try again.',
  videoMetadata: 'Failed to load video metadata',
  videoThumbnail: 'Failed to generate thumbnail.',
  quotaExceeded: 'Storage quota exceeded',
  videoUrl: 'Please enter a valid URL',
  emptyComment: 'Please write a comment.',
  rating: `Please select a rating between ${RATING.min} and ${RATING.max} stars`,
  emptyMessage: 'Please write a message.',
  tooManyPosts: `Send at most ${IMPORT.postsAtOnce} posts at a time`,
  tooManyComments: `Send at most ${IMPORT.commentsAtOnce} comments at a time`,
  tooManyIds: `Send at most ${IMPORT.idsAtOnce} ids at a time`,
  sourceId: 'Must be the id of something that was written after 1999 and before the import was begun',
  sourceUserId: 'Must be the id of a user',
  editedAt: 'Must be a time between the writing of the post and now',
  postNotImported: 'The post of this comment has not been imported',
  emptyReview: 'Please write a comment for your review',
} as const;

function labelOf(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
