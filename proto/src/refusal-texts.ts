import type { FieldErrorCode } from './field-errors.js';
import { REFUSALS } from './limits.js';

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
    'NewPost.content': REFUSALS.emptyPost,
    'EditPost.content': REFUSALS.emptyEdit,
    'NewComment.content': REFUSALS.emptyComment,
    'NewMessage.content': REFUSALS.emptyMessage,
    'PutReview.comment': REFUSALS.emptyReview,
    'PutReview.rating': REFUSALS.rating,
  },
  'invalid-type': {
    otherwise: 'Must be of type {type}',
    'PutReview.rating': REFUSALS.rating,
    'NewPost.video': 'Must be an upload or a URL',
    q: 'Must be given once',
    specialty: 'Must be given once',
  },
  'invalid-value': {
    otherwise: 'Must be {values}',
    'Idempotency-Key': 'Must be 1 to 255 printable characters',
    q: 'Must be percent-encoded UTF-8',
    specialty: 'Must be percent-encoded UTF-8',
    language: REFUSALS.language,
    subscriptionCurrency: REFUSALS.currency,
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
    q: REFUSALS.peopleSearch,
  },
  'too-many': {
    '': 'Has too many values',
    specialties: REFUSALS.specialties,
    'NewPost.images': REFUSALS.tooManyImages,
    'EditPost.images': 'Too many images. Maximum 10 images allowed. You currently have {given}.',
  },
  'too-small': {
    otherwise: 'Must be at least {min}',
    subscriptionPrice: REFUSALS.priceTooSmall,
    'images.*.id': 'Must not be empty',
    'video.id': 'Must not be empty',
  },
  'too-big': { otherwise: 'Must be at most {max}', subscriptionPrice: REFUSALS.priceTooBig },
  'out-of-range': { limit: REFUSALS.pageSize, rating: REFUSALS.rating, since: 'Must be a time' },
  'invalid-step': { subscriptionPrice: REFUSALS.priceStep, unitAmount: 'Must be a whole number' },
  repeated: REFUSALS.repeatedImage,
  'invalid-email': REFUSALS.email,
  'invalid-username': REFUSALS.username,
  'invalid-url': REFUSALS.videoUrl,
  'foreign-origin': 'Must be an address on {origin}',
  'invalid-currency': REFUSALS.currency,
  'invalid-language': REFUSALS.language,
  'missing-lowercase': REFUSALS.passwordLacks.requireLowercase,
  'missing-uppercase': REFUSALS.passwordLacks.requireUppercase,
  'missing-number': REFUSALS.passwordLacks.requireNumeric,
  'missing-special-character': REFUSALS.passwordLacks.requireNonAlphanumeric,
  'common-password': 'This password is too common. Please choose another one.',
  'images-and-video': 'A post has images or a video, not both.',
};

/**
 * The text of a refused field, with its `{…}`. `body` is the body's name in the OpenAPI document. Undefined where no field of that
 * path is refused with that code.
 */
export function refusalText(code: FieldErrorCode, path: string, body?: string): Template | undefined {
  const texts = REFUSAL_TEXTS[code];
  if (typeof texts === 'string') return texts;
  const general = path.replace(/(^|\.)\d+(?=\.|$)/g, '$1*');
  const key = [`${body}.${general}`, general].find((known) => Object.hasOwn(texts, known));
  return key === undefined ? texts.otherwise : texts[key];
}
