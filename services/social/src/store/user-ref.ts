import type { UserRef } from '@pulso/contracts/common/v1/common';
import { unavailable } from '@pulso/platform/errors/domain-error';

/** SQL: the columns of a left-joined `known_users` that `toUserRef` needs; without a picture for who is suspended (MEDIA-22). */
export const userRefColumns = (alias: string) =>
  `${alias}.name, ${alias}.username, ${alias}.is_coach AS "isCoach",
   CASE ${alias}.status WHEN 'suspended' THEN '' ELSE ${alias}.profile_image_id END AS "profileImageId"`;

/** The columns are null when the projection doesn't hold the user. */
export interface UserRefRow {
  name: string | null;
  username: string | null;
  profileImageId: string | null;
  isCoach: boolean | null;
}

/** Throws `unavailable` while the user's state has not arrived. */
export function toUserRef(id: string, row: UserRefRow): UserRef {
  const { name, username, profileImageId, isCoach } = row;
  if (name === null || username === null || profileImageId === null || isCoach === null) throw unavailable();
  return { id, name, username, profileImageId, isCoach };
}
