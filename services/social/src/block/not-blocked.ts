/** SQL: no block stands between the users in `column` and in the parameter `viewer`, either way. */
export const notBlocked = (column: string, viewer: string) =>
  `NOT EXISTS (SELECT FROM blocks mine
     WHERE mine.blocker_id = ${viewer}::uuid AND mine.blocked_id = ${column} AND mine.deleted_at IS NULL)
   AND NOT EXISTS (SELECT FROM blocks theirs
     WHERE theirs.blocker_id = ${column} AND theirs.blocked_id = ${viewer}::uuid AND theirs.deleted_at IS NULL)`;
