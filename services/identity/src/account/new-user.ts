import { nextVersion } from '@pulso/platform/events/version';
import { newId } from '@pulso/platform/ids/uuid-v7';
import type { Clock } from '@pulso/platform/time/clock';
import { newUnsubscribeToken } from '../store/optional-emails.js';
import type { User } from '../store/user.entity.js';

/** What a way to sign up decides of a new account. */
type Given = Pick<
  User,
  | 'name'
  | 'username'
  | 'email'
  | 'emailVerified'
  | 'passwordHash'
  | 'isCoach'
  | 'bio'
  | 'specialties'
  | 'language'
>;

/** The row of a new account, whose first notice welcomes the user. */
export function newUser(given: Given, clock: Clock, id = newId()): User {
  const now = clock.now();
  return {
    ...given,
    id,
    formerUsernames: [],
    pendingEmail: null,
    price: null,
    profileImageId: null,
    wantsSubscriptionMails: true,
    wantsSecurityMails: true,
    unsubscribeToken: newUnsubscribeToken(),
    welcomedByNotice: true,
    status: 'active',
    version: nextVersion(undefined, clock),
    createdAt: now,
    updatedAt: now,
  };
}
