/**
 * SQL: nobody who is suspended or deleted stands in `column`. They appear in no list and count in no number, by one
 * rule, so that both agree.
 */
export const notGone = (column: string) =>
  `NOT EXISTS (SELECT FROM known_users gone WHERE gone.id = ${column} AND gone.status <> 'active')`;

/** SQL: no block stands between the users in `column` and in the parameter `viewer`, either way. */
export const notBlocked = (column: string, viewer: string) =>
  `NOT EXISTS (SELECT FROM blocks mine
     WHERE mine.blocker_id = ${viewer}::uuid AND mine.blocked_id = ${column} AND mine.deleted_at IS NULL)
   AND NOT EXISTS (SELECT FROM blocks theirs
     WHERE theirs.blocker_id = ${column} AND theirs.blocked_id = ${viewer}::uuid AND theirs.deleted_at IS NULL)`;
