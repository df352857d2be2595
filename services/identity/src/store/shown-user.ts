import { shownPrice } from './price.js';
import type { User } from './user.entity.js';

/** What a profile shows of a user. */
export type ShownUser = Pick<
  User,
  | 'id'
  | 'name'
  | 'username'
  | 'profileImageId'
  | 'isCoach'
  | 'bio'
  | 'specialties'
  | 'price'
  | 'status'
  | 'createdAt'
>;

/** What an account shows to its owner. */
export type ShownAccount = ShownUser &
  Pick<
    User,
    'email' | 'pendingEmail' | 'emailVerified' | 'language' | 'wantsSubscriptionMails' | 'wantsSecurityMails'
  > & { hasPassword: boolean };

/** SQL: the columns of a `ShownUser` from the row `user`. */
export const shownUser = (user: string) => `
  ${user}.id, ${user}.name, ${user}.username, ${user}.profile_image_id AS "profileImageId",
  ${user}.is_coach AS "isCoach", ${user}.bio, ${user}.specialties, ${shownPrice(user)} AS price, ${user}.status,
  ${milliseconds(`${user}.created_at`)} AS "createdAt"`;

/** SQL: the columns of a `ShownAccount`. */
export const shownAccount = (user: string) => `${shownUser(user)},
  ${user}.email, ${user}.pending_email AS "pendingEmail", ${user}.email_verified AS "emailVerified",
  ${user}.password_hash IS NOT NULL AS "hasPassword", ${user}.language,
  ${user}.wants_subscription_mails AS "wantsSubscriptionMails", ${user}.wants_security_mails AS "wantsSecurityMails"`;

/** SQL: a time in milliseconds since the epoch. Exact: all our times have three digits of a second. */
export const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::float8`;
