import { DomainError, notFound, unavailable } from './domain-error.js';

/** Also used for malformed ids, and for users whom the caller must not see. */
export const userNotFound = () => notFound('User not found');

/** The caller's account is suspended. */
export const userDisabled = () => new DomainError('user-disabled', 'This account has been disabled.');

/** The same error whichever of the two has blocked the other. */
export const blocked = () =>
  new DomainError('blocked', 'You cannot do this because one of you has blocked the other.');

/**
 * The caller's own row of a projection. Throws `unavailable` while it has not arrived (HTTP-30: never a 403),
 * `user-disabled` for a suspended or deleted account whose token has not expired yet.
 */
export function checkCaller<User extends { status: string }>(caller: User | undefined): User {
  if (!caller) throw unavailable();
  if (caller.status !== 'active') throw userDisabled();
  return caller;
}
