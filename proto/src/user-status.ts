import { type UserState, UserStatus } from '@pulso/contracts/identity/v1/events';

export type UserStatusName = 'active' | 'suspended' | 'deleted';

/** The name under which a deleted user still stands in lists, comments and conversations (ACCT-36, MSG-11, SUBS-31). */
export const DELETED_USER_NAME = 'Deleted user';

/** A user's status by its name. Throws for a state without one, and for a status of a newer contract. */
export function userStatusOf({ status }: Pick<UserState, 'status'>): UserStatusName {
  switch (status) {
    case UserStatus.USER_STATUS_ACTIVE:
      return 'active';
    case UserStatus.USER_STATUS_SUSPENDED:
      return 'suspended';
    case UserStatus.USER_STATUS_DELETED:
      return 'deleted';
    case UserStatus.USER_STATUS_UNSPECIFIED:
    case UserStatus.UNRECOGNIZED:
      throw new Error(`a user state without a known status: ${status}`);
  }
}
