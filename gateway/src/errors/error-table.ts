/** What every stable code of a problem means; published in the OpenAPI and at /api/docs#errors. */
export interface ErrorEntry {
  status: number;
  title: string;
  meaning: string;
}

export const ERROR_TABLE = {
  'validation-failed': {
    status: 400,
    title: 'Invalid input',
    meaning: 'A field, query parameter or header breaks a rule; `errors` names each.',
  },
  'invalid-json': { status: 400, title: 'Invalid JSON', meaning: 'The body is not JSON in UTF-8.' },
  'invalid-cursor': {
    status: 400,
    title: 'Invalid cursor',
    meaning: 'The cursor was changed or belongs to another viewer or list.',
  },
  'bad-request': { status: 400, title: 'Bad request', meaning: 'The request is not well-formed HTTP.' },
  'not-authenticated': {
    status: 401,
    title: 'Not authenticated',
    meaning: 'The call needs an access token, or a refresh cookie, and there is none.',
  },
  'user-token-expired': {
    status: 401,
    title: 'Session expired',
    meaning: 'The token is invalid, has expired, or its session has ended.',
  },
  'invalid-credential': {
    status: 401,
    title: 'Invalid credentials',
    meaning: 'E-mail or password is wrong; alike for an unknown e-mail.',
  },
  'payment-required': { status: 402, title: 'Payment required', meaning: 'Access has to be paid for first.' },
  'permission-denied': {
    status: 403,
    title: 'Permission denied',
    meaning: 'The caller may not do this, or the request comes from a foreign origin.',
  },
  'user-disabled': { status: 403, title: 'Account disabled', meaning: 'The account is suspended.' },
  'wrong-password': {
    status: 403,
    title: 'Wrong password',
    meaning: 'The current password is wrong or missing.',
  },
  'subscription-required': {
    status: 403,
    title: 'Subscription required',
    meaning: 'The post is for subscribers of its author.',
  },
  blocked: {
    status: 403,
    title: 'Blocked',
    meaning: 'One of the two has blocked the other.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    meaning: 'It does not exist, its id is malformed, or it is not yours to see.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists; `Allow` lists its methods.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    meaning: 'The request took too long to arrive.',
  },
  'email-already-in-use': {
    status: 409,
    title: 'E-mail already in use',
    meaning: 'Another account has this e-mail address.',
  },
  'username-taken': {
    status: 409,
    title: 'Username taken',
    meaning: 'Another account has this username, or it is reserved.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'Still in progress',
    meaning: 'A request with the same Idempotency-Key is still running.',
  },
  'payload-too-large': { status: 413, title: 'Payload too large', meaning: 'The body is over 1 MiB.' },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'Bodies are application/json in UTF-8.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency-Key reused',
    meaning: 'The key was used within 24 hours with another body.',
  },
  'media-not-attachable': {
    status: 422,
    title: 'Media not attachable',
    meaning: 'The media is unknown, not the caller’s, attached already or of another purpose.',
  },
  'cannot-follow-self': { status: 422, title: 'Cannot follow yourself', meaning: 'The user is the caller.' },
  'cannot-block-self': { status: 422, title: 'Cannot block yourself', meaning: 'The user is the caller.' },
  'cannot-review-self': { status: 422, title: 'Cannot review yourself', meaning: 'The coach is the caller.' },
  'not-a-coach': { status: 422, title: 'Not a coach', meaning: 'Only coaches are reviewed.' },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    meaning: '`Retry-After` says after how many seconds to try again.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    meaning: 'The request’s headers are too large.',
  },
  internal: { status: 500, title: 'Internal error', meaning: 'Our fault; `requestId` finds it in the logs.' },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'A service behind is down or too slow; `Retry-After` says when to try again.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_TABLE;

export function errorEntry(code: string): ErrorEntry | undefined {
  return Object.hasOwn(ERROR_TABLE, code) ? ERROR_TABLE[code as ErrorCode] : undefined;
}
