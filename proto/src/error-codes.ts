/**
 * The kind of an error, independent of transport. `platform/errors/connect-code-of-kind.ts` and `http-status.ts` map every kind,
 * without a default: a new kind does not compile until both map it.
 */
export type ErrorKind =
  | 'invalid-argument'
  | 'unauthenticated'
  | 'payment-required'
  | 'permission-denied'
  | 'not-found'
  | 'conflict'
  | 'payload-too-large'
  | 'unprocessable'
  | 'too-many-requests'
  | 'unavailable'
  | 'deadline-exceeded'
  | 'internal';

export interface PublishedError {
  kind: ErrorKind;
  title: string;
  meaning: string;
}

/** Every stable error code of the services that a client of the HTTP API may see. */
export const PUBLISHED_ERRORS = {
  'validation-failed': {
    kind: 'invalid-argument',
    title: 'Invalid input',
    meaning: 'A field, query parameter or header breaks a rule; `errors` names the first 25.',
  },
  'invalid-cursor': {
    kind: 'invalid-argument',
    title: 'Invalid cursor',
    meaning: 'The cursor was changed or belongs to another viewer or list.',
  },
  'invalid-action-code': {
    kind: 'invalid-argument',
    title: 'Invalid link',
    meaning: 'The token of a mailed link is malformed, unknown, spent or expired.',
  },
  'not-authenticated': {
    kind: 'unauthenticated',
    title: 'Not authenticated',
    meaning: 'The call needs an access token, or a refresh cookie, and there is none.',
  },
  'user-token-expired': {
    kind: 'unauthenticated',
    title: 'Session expired',
    meaning: 'The token is invalid, has expired, or its session has ended.',
  },
  'invalid-credential': {
    kind: 'unauthenticated',
    title: 'Invalid credentials',
    meaning:
      'E-mail or password is wrong; alike for an unknown e-mail. Or the answer of the provider or of the passkey to a sign-in is not the one to it.',
  },
  'sign-in-denied': {
    kind: 'unauthenticated',
    title: 'Sign-in denied',
    meaning: 'The user, or the provider, has not allowed the sign-in.',
  },
  'payment-required': {
    kind: 'payment-required',
    title: 'Payment required',
    meaning: 'Access has to be paid for first.',
  },
  'permission-denied': {
    kind: 'permission-denied',
    title: 'Permission denied',
    meaning: 'The caller may not do this, or the request comes from a foreign origin.',
  },
  'user-disabled': {
    kind: 'permission-denied',
    title: 'Account disabled',
    meaning: 'The account is suspended.',
  },
  'wrong-password': {
    kind: 'permission-denied',
    title: 'Wrong password',
    meaning: 'The current password is wrong or missing, or the passkey that stands in for it is not right.',
  },
  'subscription-required': {
    kind: 'permission-denied',
    title: 'Subscription required',
    meaning: 'The post is for subscribers of its author.',
  },
  blocked: {
    kind: 'permission-denied',
    title: 'Blocked',
    meaning: 'One of the two has blocked the other.',
  },
  'not-found': {
    kind: 'not-found',
    title: 'Not found',
    meaning: 'It does not exist, its id is malformed, or it is not yours to see.',
  },
  conflict: {
    kind: 'conflict',
    title: 'Conflict',
    meaning: 'The present state does not allow it; there is no code of its own for the reason.',
  },
  'email-already-in-use': {
    kind: 'conflict',
    title: 'E-mail already in use',
    meaning: 'Another account has this e-mail address.',
  },
  'username-taken': {
    kind: 'conflict',
    title: 'Username taken',
    meaning: 'Another account has this username, or it is reserved.',
  },
  'too-many-renames': {
    kind: 'unprocessable',
    title: 'Too many renames',
    meaning: 'The account has had 3 new usernames within 30 days.',
  },
  'too-many-former-usernames': {
    kind: 'unprocessable',
    title: 'Too many former usernames',
    meaning: 'The account holds 3 former usernames, each for 90 days; one of them can be taken back.',
  },
  'account-not-empty': {
    kind: 'conflict',
    title: 'Account not empty',
    meaning: 'The account has posts or comments, and has not begun to import from that source.',
  },
  'media-attached': {
    kind: 'conflict',
    title: 'Media attached',
    meaning: 'A post or the profile has the media, or is about to get it.',
  },
  'idempotency-in-progress': {
    kind: 'conflict',
    title: 'Still in progress',
    meaning: 'A request with the same Idempotency-Key is still running.',
  },
  'payload-too-large': {
    kind: 'payload-too-large',
    title: 'Payload too large',
    meaning: 'The body is larger than this call takes.',
  },
  'file-too-large': {
    kind: 'payload-too-large',
    title: 'File too large',
    meaning: 'The uploaded file is larger than its kind may be.',
  },
  'quota-exceeded': {
    kind: 'payload-too-large',
    title: 'Storage quota exceeded',
    meaning: 'The caller’s storage has no room for the file.',
  },
  unprocessable: {
    kind: 'unprocessable',
    title: 'Not possible',
    meaning: 'The request is understood and refused; there is no code of its own for the reason.',
  },
  'idempotency-key-reused': {
    kind: 'unprocessable',
    title: 'Idempotency-Key reused',
    meaning: 'The key was used within 24 hours with another body.',
  },
  'unsupported-media': {
    kind: 'unprocessable',
    title: 'Unsupported media',
    meaning: 'The uploaded file is broken, or no media of an allowed kind.',
  },
  'media-not-attachable': {
    kind: 'unprocessable',
    title: 'Media not attachable',
    meaning: 'The media is unknown, not the caller’s, attached already or of another purpose.',
  },
  'cannot-follow-self': {
    kind: 'unprocessable',
    title: 'Cannot follow yourself',
    meaning: 'The user is the caller.',
  },
  'cannot-block-self': {
    kind: 'unprocessable',
    title: 'Cannot block yourself',
    meaning: 'The user is the caller.',
  },
  'cannot-review-self': {
    kind: 'unprocessable',
    title: 'Cannot review yourself',
    meaning: 'The coach is the caller.',
  },
  'cannot-message-self': {
    kind: 'unprocessable',
    title: 'Cannot message yourself',
    meaning: 'The receiver is the caller.',
  },
  'cannot-subscribe-self': {
    kind: 'unprocessable',
    title: 'Cannot subscribe to yourself',
    meaning: 'The coach is the caller.',
  },
  'not-a-coach': {
    kind: 'unprocessable',
    title: 'Not a coach',
    meaning: 'Only coaches are reviewed and subscribed to.',
  },
  'price-not-set': {
    kind: 'unprocessable',
    title: 'Price not set',
    meaning: 'Payments are on, and the coach has no price.',
  },
  'price-below-minimum': {
    kind: 'unprocessable',
    title: 'Price below the minimum',
    meaning: 'The payment provider takes no such small amounts.',
  },
  'coach-not-ready': {
    kind: 'unprocessable',
    title: 'Coach not ready',
    meaning: 'The coach has not finished setting up payouts.',
  },
  'no-billing-account': {
    kind: 'unprocessable',
    title: 'No billing account',
    meaning: 'The payment provider does not know the caller yet.',
  },
  'too-many-requests': {
    kind: 'too-many-requests',
    title: 'Too many requests',
    meaning: '`Retry-After` says after how many seconds to try again.',
  },
  'payments-not-configured': {
    kind: 'unavailable',
    title: 'Payments not configured',
    meaning: 'This installation has no payment provider.',
  },
  'outcome-unknown': {
    kind: 'unavailable',
    title: 'Outcome unknown',
    meaning:
      'The payment provider has not told yet whether it has done what was asked; Pulso finds out by itself.',
  },
  unavailable: {
    kind: 'unavailable',
    title: 'Unavailable',
    meaning: 'A service behind is down or too slow; `Retry-After` says when to try again.',
  },
  internal: {
    kind: 'internal',
    title: 'Internal error',
    meaning: 'Our fault; `requestId` finds it in the logs.',
  },
} as const satisfies Record<string, PublishedError>;

/** Codes between services and at command lines. A client of the HTTP API sees their kind's general code instead. */
export const INTERNAL_ERRORS = {
  'malformed-request': 'invalid-argument',
  'already-resolved': 'conflict',
  'target-required': 'unprocessable',
  cancelled: 'unavailable',
  'deadline-exceeded': 'deadline-exceeded',
} as const satisfies Record<string, ErrorKind>;

export type PublishedCode = keyof typeof PUBLISHED_ERRORS;
export type ErrorCode = PublishedCode | keyof typeof INTERNAL_ERRORS;

/** The published code of each kind, in place of internal codes and of codes of a newer build. */
export const GENERAL_CODE: Readonly<Record<ErrorKind, PublishedCode>> = {
  'invalid-argument': 'validation-failed',
  unauthenticated: 'not-authenticated',
  'payment-required': 'payment-required',
  'permission-denied': 'permission-denied',
  'not-found': 'not-found',
  conflict: 'conflict',
  'payload-too-large': 'payload-too-large',
  unprocessable: 'unprocessable',
  'too-many-requests': 'too-many-requests',
  unavailable: 'unavailable',
  'deadline-exceeded': 'unavailable',
  internal: 'internal',
};

export function isPublished(code: string): code is PublishedCode {
  return Object.hasOwn(PUBLISHED_ERRORS, code);
}

export function isErrorCode(code: string): code is ErrorCode {
  return isPublished(code) || Object.hasOwn(INTERNAL_ERRORS, code);
}

export function kindOf(code: ErrorCode): ErrorKind {
  return isPublished(code) ? PUBLISHED_ERRORS[code].kind : INTERNAL_ERRORS[code];
}
