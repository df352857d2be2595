/**
 * SQL: the user in `column` is neither suspended nor deleted (PEOPLE-38). Lists and counts leave these users out with the
 * same condition, so that they agree (PEOPLE-20).
 */
export const notGone = (column: string) =>
  `NOT EXISTS (SELECT FROM known_users gone WHERE gone.id = ${column} AND gone.status <> 'active')`;

/** SQL: no block, in either direction, is active between the users in `column` and in the parameter `viewer`. */
export const notBlocked = (column: string, viewer: string) =>
  `NOT EXISTS (SELECT FROM blocks mine
     WHERE mine.blocker_id = ${viewer}::uuid AND mine.blocked_id = ${column} AND mine.deleted_at IS NULL)
   AND NOT EXISTS (SELECT FROM blocks theirs
     WHERE theirs.blocker_id = ${column} AND theirs.blocked_id = ${viewer}::uuid AND theirs.deleted_at IS NULL)`;

/** SQL: the user in `column` is in lists that are shown to the user in the parameter `viewer`. */
export const isShown = (column: string, viewer: string) =>
  `(${notGone(column)} AND ${notBlocked(column, viewer)})`;
