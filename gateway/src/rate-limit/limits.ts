import { createHash } from 'node:crypto';
import type { Caller } from '@pulso/platform/context/request-context';
import type { HttpErrorCode } from '../errors/error-table.js';
import { email } from '../validation/fields.js';
import type { Address } from './address-key.js';

/** What a request is counted by. */
export interface Counted {
  /** What the request's address is counted as. */
  address: Address;
  caller: Caller | null;
  /** As it was sent: not validated yet. */
  body: unknown;
  refreshToken: string | undefined;
}

export interface RateLimit {
  hits: number;
  windowMs: number;
  /** Whose hits these are; a request without a key does not count. Of an address, each of its networks has hits (LIMIT-14). */
  key(request: Counted): string | Address | undefined;
  /** Only requests that are refused with one of these codes count, each unless given. */
  counts?: readonly HttpErrorCode[];
  /** Requests that are refused with one of these codes do not count. */
  spares?: readonly HttpErrorCode[];
  /** Beyond the limit answers come later and later; without it, requests are refused. */
  delays?: true;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Limits with this key are applied before the body is read. */
export const byAddress = ({ address }: Counted) => address;
const byAccount = ({ caller }: Counted) => caller?.userId;
const byRefreshToken = ({ refreshToken }: Counted) =>
  refreshToken && createHash('sha256').update(refreshToken).digest('base64url');

const byEmail = ({ body }: Counted) => email.safeParse(field(body, 'email')).data;
/** The erasure of an account has it under the other name. */
const byPasswordTried = (request: Counted) =>
  (field(request.body, 'currentPassword') ?? field(request.body, 'password')) === undefined
    ? undefined
    : byAccount(request);
const byNewEmail = (request: Counted) =>
  field(request.body, 'email') === undefined ? undefined : byAccount(request);

/** The same key, for each address by itself. */
const atAddress = (key: (request: Counted) => string | undefined) => (request: Counted) => {
  const who = key(request);
  return who && byAddress(request).map((one) => ({ ...one, key: `${who} ${one.key}` }));
};

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

const WRONG_PASSWORD: ReadonlySet<HttpErrorCode> = new Set(['invalid-credential', 'wrong-password']);
const INVALID = ['validation-failed', 'invalid-json', 'payload-too-large', 'unsupported-media-type'] as const;

/** Who guesses from one address is refused; nobody can keep an owner out from another one (ACCT-14). */
const wrongPasswords = (key: (request: Counted) => string | undefined, code: HttpErrorCode) => ({
  hereMinutely: { hits: 10, windowMs: 5 * MINUTE, key: atAddress(key), counts: [code] },
  anywhereHourly: { hits: 100, windowMs: HOUR, key, counts: [code], delays: true } as const,
});
const atLogin = wrongPasswords(byEmail, 'invalid-credential');
const whenSignedIn = wrongPasswords(byPasswordTried, 'wrong-password');

/**
 * Hits per window at RATE_LIMIT_FACTOR 1. Strict where passwords are tried and accounts are made; per account and hour
 * where others would have to read or moderate it, or services hear of it (LIMIT-4).
 */
export const RATE_LIMITS = {
  'any-address': { hits: 1200, windowMs: MINUTE, key: byAddress },
  // In place of the one above: a page of posts may show a hundred pictures.
  'media-address': { hits: 6000, windowMs: MINUTE, key: byAddress },
  'any-account': { hits: 600, windowMs: MINUTE, key: byAccount },
  'writes-account': { hits: 120, windowMs: MINUTE, key: byAccount },
  'posts-account': { hits: 60, windowMs: HOUR, key: byAccount },
  // Each may notify those whom it newly mentions.
  'post-edits-account': { hits: 120, windowMs: HOUR, key: byAccount },
  // Every other service hears of each, and keeps it. Wrong passwords have limits of their own.
  'me-edits-account': {
    hits: 60,
    windowMs: HOUR,
    key: byAccount,
    spares: [...INVALID, 'wrong-password', 'permission-denied'],
  },
  'post-deletions-account': { hits: 120, windowMs: HOUR, key: byAccount },
  'comments-account': { hits: 120, windowMs: HOUR, key: byAccount },
  'comment-deletions-account': { hits: 240, windowMs: HOUR, key: byAccount },
  'messages-account': { hits: 300, windowMs: HOUR, key: byAccount },
  // Of starting them, which sends nothing and must not use up the messages.
  'conversations-account': { hits: 300, windowMs: HOUR, key: byAccount },
  // Of conversations and notifications; an open page marks each one that arrives.
  'read-marks-account': { hits: 3000, windowMs: HOUR, key: byAccount },
  'likes-account': { hits: 600, windowMs: HOUR, key: byAccount },
  'unlikes-account': { hits: 600, windowMs: HOUR, key: byAccount },
  'follows-account': { hits: 200, windowMs: HOUR, key: byAccount },
  'unfollows-account': { hits: 200, windowMs: HOUR, key: byAccount },
  // Of beginning and ending them. Each makes the other user's feed be read anew, too.
  'blocks-account': { hits: 60, windowMs: HOUR, key: byAccount },
  // Of beginning and ending them.
  'subscriptions-account': { hits: 200, windowMs: HOUR, key: byAccount },
  // Of writing, changing and deleting them.
  'reviews-account': { hits: 30, windowMs: HOUR, key: byAccount },
  // Ten a post, and some that are not published.
  'uploads-account': { hits: 700, windowMs: HOUR, key: byAccount },
  // How many uploads may be begun.
  'video-uploads-account': { hits: 60, windowMs: HOUR, key: byAccount },
  // Requests that send parts of them: some ten a video, and one more for each cut of a connection.
  'video-parts-account': { hits: 3000, windowMs: HOUR, key: byAccount },
  // Of images and videos.
  'image-deletions-account': { hits: 700, windowMs: HOUR, key: byAccount },
  'reports-account': { hits: 20, windowMs: HOUR, key: byAccount },
  'session-ends-account': { hits: 60, windowMs: HOUR, key: byAccount },
  // Of calls that ask a payment provider.
  'payments-account': { hits: 60, windowMs: HOUR, key: byAccount },
  'login-address': { hits: 30, windowMs: 5 * MINUTE, key: byAddress },
  'login-email-address': atLogin.hereMinutely,
  'login-email': atLogin.anywhereHourly,
  'password-account-address': whenSignedIn.hereMinutely,
  'password-account': whenSignedIn.anywhereHourly,
  // There is one that succeeds.
  'erasures-account': {
    hits: 20,
    windowMs: HOUR,
    key: byAccount,
    spares: [...INVALID, 'wrong-password'],
  },
  // Each leaves a mark for ever in every service (ADR 20). Whoever is not signed in does not count against others there.
  'erasures-address': {
    hits: 20,
    windowMs: HOUR,
    key: ({ caller, address }) => (caller ? address : undefined),
    spares: [...INVALID, 'wrong-password'],
  },
  // Each reads all that six services hold of the account.
  'exports-account': { hits: 10, windowMs: HOUR, key: byAccount },
  // Each is a file of up to some 500 MB. What could not be put together, or is too large, costs nobody one of three (LIMIT-20).
  'archives-account': {
    hits: 3,
    windowMs: 24 * HOUR,
    key: byAccount,
    spares: [
      'unavailable',
      'too-many-requests',
      'unprocessable',
      'file-too-large',
      'user-token-expired',
      'user-disabled',
    ],
  },
  'archive-deletions-account': { hits: 60, windowMs: HOUR, key: byAccount },
  // Of every call of an import: 10,000 posts and 50,000 comments, and asking which of them are there (LIMIT-21).
  'imports-account': { hits: 1500, windowMs: HOUR, key: byAccount },
  // Of all accounts there: each writes much more than what is written by hand.
  'imports-address': { hits: 3000, windowMs: HOUR, key: byAddress },
  'password-changes-account': {
    hits: 20,
    windowMs: HOUR,
    key: byAccount,
    spares: [...INVALID, 'wrong-password'],
  },
  // As many as sign in there: asking takes no password, and each address gets few mails (LIMIT-18).
  'forgot-address': { hits: 30, windowMs: 5 * MINUTE, key: byAddress, spares: INVALID },
  // Of links to a new password and to verify an address. Only those with a bad token count: a whole gym may sit behind one address.
  'action-code-address': {
    hits: 20,
    windowMs: 10 * MINUTE,
    key: byAddress,
    counts: ['invalid-action-code'],
  },
  // Of asking for them; identity sends fewer (LIMIT-18).
  'verification-mails-account': { hits: 30, windowMs: HOUR, key: byAccount },
  // Of adding, renaming and removing them, and of showing one in place of the password. Nobody guesses one.
  'passkeys-account': { hits: 120, windowMs: HOUR, key: byAccount },
  // What is asked after the password, and tells whether an address has an account.
  'email-changes-account': {
    hits: 5,
    windowMs: HOUR,
    key: byNewEmail,
    spares: ['validation-failed', 'wrong-password', 'permission-denied'],
  },
  // What validation refuses is no abuse, but somebody who corrects a form (LIMIT-3).
  'signup-address': {
    hits: 20,
    windowMs: 10 * MINUTE,
    key: byAddress,
    spares: [...INVALID, 'permission-denied'],
  },
  // A mail provider sends the one-click requests of many users from one address: only those with a bad token count.
  'unsubscribe-address': {
    hits: 20,
    windowMs: 10 * MINUTE,
    key: byAddress,
    counts: ['invalid-action-code'],
  },
  // Only what has a cookie counts: every visitor's page asks for a refresh, to see whether they are signed in.
  'refresh-token': { hits: 120, windowMs: 5 * MINUTE, key: byRefreshToken },
  // Generous: a whole school or gym may sit behind one address.
  'refresh-address': {
    hits: 3000,
    windowMs: 5 * MINUTE,
    key: (request) => (request.refreshToken === undefined ? undefined : byAddress(request)),
  },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof RATE_LIMITS;

/** The key of a counter in a store. */
export const counterKey = (name: RateLimitName, who: string) => `${name}:${who}`;

/** Whether a counter is of wrong passwords: what lets it be forgotten lets somebody guess on. */
export function isOfPasswords(key: string): boolean {
  const limit: RateLimit | undefined = RATE_LIMITS[key.slice(0, key.indexOf(':')) as RateLimitName];
  return limit?.counts?.some((code) => WRONG_PASSWORD.has(code)) ?? false;
}
