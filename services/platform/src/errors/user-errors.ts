import { DomainError, notFound } from './domain-error.js';

/** Also used for malformed ids, and for users whom the caller must not see. */
export const userNotFound = () => notFound('User not found');

/** The caller's account is suspended. */
export const userDisabled = () => new DomainError('user-disabled', 'This account has been disabled.');

/** The same error whichever of the two has blocked the other. */
export const blocked = () =>
  new DomainError('blocked', 'You cannot do this because one of you has blocked the other.');
