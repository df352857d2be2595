import { DomainError } from '@pulso/platform/errors/domain-error';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { invalidCredential } from '../user/user-errors.js';

export const signInDenied = () => new DomainError('sign-in-denied', 'You have not allowed the sign-in.');

export const providerAway = () =>
  new DomainError('unavailable', 'The sign-in service does not answer right now. Please try again.', {
    retryAfter: 5,
  });

/** What the provider says of itself, and not of the user (RFC 6749, 4.1.2.1; of the token endpoint: what our settings are wrong in). */
const ITS_OWN: ReadonlySet<string> = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
]);
/** No answer, or one that is none of OpenID Connect; undefined for what openid-client does not know. */
const NO_ANSWER: ReadonlySet<unknown> = new Set([
  undefined,
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** What we answer for an error of openid-client. */
export function refusalOf(error: unknown): DomainError {
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return signInDenied();
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const isAway = ITS_OWN.has(error.error) || ('status' in error && error.status >= 500);
    return isAway ? providerAway() : invalidCredential();
  }
  // It does not know our client, or the token that it has just given.
  if (error instanceof WWWAuthenticateChallengeError) return providerAway();
  if (error instanceof ClientError) return NO_ANSWER.has(error.code) ? providerAway() : invalidCredential();
  // fetch() rejects with it where the network fails.
  if (error instanceof TypeError && !('code' in error)) return providerAway();
  throw error;
}
