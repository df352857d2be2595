import type { FieldErrorCode } from './field-errors.js';
import { VALIDATION_MESSAGES } from './limits.js';

/** A text in which `{name}` stands for what the field's schema or the request says: a number, or names that the field takes. */
type Template = string;
/** By path, in which `*` is any index. A path in a body that shares it with others begins with the body's name in the OpenAPI document. */
type TextsByPath = Readonly<Record<string, Template>>;

/**
 * The English text of every refused field (HTTP-14): one for each code and path. `otherwise` is that of all other paths of the
 * code. What `errors[].message` says is here, so that a client that translates it has one key for each text.
 */
export const REFUSAL_TEXTS: Readonly<
  Record<FieldErrorCode, Template | (TextsByPath & { readonly otherwise?: Template })>
> = {
  required: {
    otherwise: '{field} is required',
    'NewPost.content': VALIDATION_MESSAGES.emptyPost,
    'EditPost.content': VALIDATION_MESSAGES.emptyEdit,
    'NewComment.content': VALIDATION_MESSAGES.emptyComment,
    'posts.*.content': VALIDATION_MESSAGES.emptyPost,
    'comments.*.content': VALIDATION_MESSAGES.emptyComment,
    'NewMessage.content': VALIDATION_MESSAGES.emptyMessage,
    'PutReview.comment': VALIDATION_MESSAGES.emptyReview,
    'PutReview.rating': VALIDATION_MESSAGES.rating,
  },
  'invalid-type': {
    otherwise: 'Must be of type {type}',
    'PutReview.rating': VALIDATION_MESSAGES.rating,
    'NewPost.video': 'Must be an upload or a URL',
    'posts.*.video': 'Must be an upload or a URL',
    q: 'Must be given once',
    specialty: 'Must be given once',
  },
  'invalid-value': {
    otherwise: 'Must be {values}',
    'Idempotency-Key': 'Must be 1 to 255 printable characters',
    q: 'Must be percent-encoded UTF-8',
    specialty: 'Must be percent-encoded UTF-8',
    language: VALIDATION_MESSAGES.language,
    'posts.*.sourceId': VALIDATION_MESSAGES.sourceId,
    'comments.*.sourceId': VALIDATION_MESSAGES.sourceId,
    sourceUserId: VALIDATION_MESSAGES.sourceUserId,
    subscriptionCurrency: VALIDATION_MESSAGES.currency,
  },
  invalid: {
    otherwise: 'The form is malformed',
  },
  'unknown-field': {
    otherwise: 'Unknown field',
    '': 'This call takes no body',
  },
  unknown: {
    sort: 'Must be merit',
    status: 'Must be all',
    subjectType: 'This cannot be reported',
    'comments.*.postSourceId': VALIDATION_MESSAGES.postNotImported,
  },
  'lone-surrogate': 'Contains characters that are not valid text',
  'control-character': 'Contains control characters',
  'format-character': 'Contains invisible characters',
  'too-long': {
    otherwise: 'Must be at most {max} characters',
    password: 'Password must be at most {max} characters',
    currentPassword: 'Password must be at most {max} characters',
  },
  'too-short': {
    password: 'Password must be at least {min} characters',
    q: VALIDATION_MESSAGES.peopleSearch,
  },
  'too-many': {
    '': 'Has too many values',
    specialties: VALIDATION_MESSAGES.specialties,
    transports: VALIDATION_MESSAGES.transports,
    'NewPost.images': VALIDATION_MESSAGES.tooManyImages,
    'posts.*.images': VALIDATION_MESSAGES.tooManyImages,
    'ImportPosts.posts': VALIDATION_MESSAGES.tooManyPosts,
    'ImportComments.comments': VALIDATION_MESSAGES.tooManyComments,
    'PendingImports.posts': VALIDATION_MESSAGES.tooManyIds,
    'PendingImports.comments': VALIDATION_MESSAGES.tooManyIds,
    'EditPost.images': 'Too many images. Maximum 10 images allowed. You currently have {given}.',
  },
  'too-small': {
    otherwise: 'Must be at least {min}',
    subscriptionPrice: VALIDATION_MESSAGES.priceTooSmall,
    'images.*.id': 'Must not be empty',
    'video.id': 'Must not be empty',
    'posts.*.images.*.id': 'Must not be empty',
    'posts.*.video.id': 'Must not be empty',
  },
  'too-big': { otherwise: 'Must be at most {max}', subscriptionPrice: VALIDATION_MESSAGES.priceTooBig },
  'out-of-range': {
    limit: VALIDATION_MESSAGES.pageSize,
    rating: VALIDATION_MESSAGES.rating,
    since: 'Must be a time',
    'posts.*.editedAt': VALIDATION_MESSAGES.editedAt,
  },
  'invalid-step': { subscriptionPrice: VALIDATION_MESSAGES.priceStep, unitAmount: 'Must be a whole number' },
  repeated: VALIDATION_MESSAGES.repeatedImage,
  'invalid-email': VALIDATION_MESSAGES.email,
  'invalid-username': VALIDATION_MESSAGES.username,
  'invalid-url': VALIDATION_MESSAGES.videoUrl,
  'foreign-origin': 'Must be an address on {origin}',
  'invalid-currency': VALIDATION_MESSAGES.currency,
  'invalid-language': VALIDATION_MESSAGES.language,
  'missing-lowercase': VALIDATION_MESSAGES.passwordLacks.requireLowercase,
  'missing-uppercase': VALIDATION_MESSAGES.passwordLacks.requireUppercase,
  'missing-number': VALIDATION_MESSAGES.passwordLacks.requireNumeric,
  'missing-special-character': VALIDATION_MESSAGES.passwordLacks.requireNonAlphanumeric,
  'common-password': 'This password is too common. Please choose another one.',
  'images-and-video': 'A post has images or a video, not both.',
};

/**
 * The text of a refused field, with its `{…}`. `body` is the body's name in the OpenAPI document. Undefined where no field of that
 * path is refused with that code.
 *
 * @internal until a client translates: the suites compare every refusal with it
 */
export function refusalText(code: FieldErrorCode, path: string, body?: string): Template | undefined {
  const texts = REFUSAL_TEXTS[code];
  if (typeof texts === 'string') return texts;
  const general = path.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
  const key = [`${body}.${general}`, general].find((known) => Object.hasOwn(texts, known));
  return key === undefined ? texts.otherwise : texts[key];
}
