import { userTopic } from '@pulso/contracts/topics/identity';
import type { UserStatusName } from '@pulso/contracts/user-status';
import { awaitsState } from '../context/request-context.js';
import { unavailable } from '../errors/domain-error.js';
import { userDisabled, userNotFound } from '../errors/user-errors.js';

/** For undoing what concerns a suspended user. */
export const SUSPENDED_TOO: readonly UserStatusName[] = ['active', 'suspended'];

/**
 * The caller's own row of a projection. Throws `unavailable` while it has not arrived (HTTP-30: never a 403),
 * `user-disabled` for a suspended or deleted account whose token has not expired yet.
 */
export function checkCaller<User extends { status: UserStatusName }>(caller: User | undefined): User {
  if (!caller) throw unavailable();
  if (caller.status !== 'active') throw userDisabled();
  return caller;
}

/**
 * The user whom an action is about, by the row of a projection. Throws `not-found` for an unknown user and for every status
 * that is not accepted, but `unavailable` while a consistency token says that the user exists (HTTP-30).
 */
export function checkOther<User extends { status: UserStatusName }>(
  id: string,
  user: User | undefined,
  accepted: readonly UserStatusName[] = ['active'],
): User {
  if (!user && awaitsState(userTopic, id)) throw unavailable();
  if (!user || !accepted.includes(user.status)) throw userNotFound();
  return user;
}
