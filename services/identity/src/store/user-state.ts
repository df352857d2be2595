import { UserState, UserStatus as WireStatus } from '@pulso/contracts/identity/v1/events';
import type { User, UserStatus } from './user.entity.js';

export const WIRE_STATUS: Readonly<Record<UserStatus, WireStatus>> = {
  active: WireStatus.USER_STATUS_ACTIVE,
  suspended: WireStatus.USER_STATUS_SUSPENDED,
  deleted: WireStatus.USER_STATUS_DELETED,
};

/**
 * The published state of a user; it never contains the e-mail address (ACCT-5). That of a deleted user names nobody: events
 * and dead letters outlive an erasure (ACCT-34).
 */
export function toUserState(user: User): UserState {
  const { id, version, createdAt } = user;
  const status = WIRE_STATUS[user.status];
  if (user.status === 'deleted') return UserState.fromPartial({ id, version, status, createdAt });
  return {
    id,
    version,
    status,
    name: user.name,
    username: user.username,
    profileImageId: user.profileImageId ?? '',
    isCoach: user.isCoach,
    // Billing publishes prices.
    subscriptionCurrency: '',
    createdAt,
    formerUsernames: user.formerUsernames,
  };
}
