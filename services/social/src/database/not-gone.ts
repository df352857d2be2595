/**
 * SQL: nobody who is suspended or deleted stands in `column`. They appear in no list and count in no number, by one
 * rule, so that both agree.
 */
export const notGone = (column: string) =>
  `NOT EXISTS (SELECT FROM known_users gone WHERE gone.id = ${column} AND gone.status <> 'active')`;
