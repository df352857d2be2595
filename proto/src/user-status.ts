import { type UserState, UserStatus } from '@pulso/contracts/identity/v1/events';

export type UserStatusName = 'active' | 'suspended' | 'deleted';

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
