/**
 * For this long, a username that was given up stays reserved for its former owner and leads to their profile
 * (PEOPLE-9).
 */
export const FORMER_USERNAME_MS = 90 * 24 * 60 * 60 * 1000;
/** An account holds at most this many former names (PEOPLE-10). */
export const FORMER_USERNAMES_MAX = 3;

/** A name that was given up, and how long it stays its owner's, in milliseconds since the epoch. */
export interface FormerUsername {
  username: string;
  until: number;
}

/** SQL: until when a row of `usernames` stays its former owner's, in milliseconds since the epoch. */
export const HELD_UNTIL = `(extract(epoch FROM given_up_at) * 1000)::bigint + ${FORMER_USERNAME_MS}`;

/** SQL: the latest names that the row `user` has given up, as JSON of `FormerUsername[]`; some may be over. */
export const formerUsernames = (user: string) => `(
  SELECT coalesce(json_agg(json_build_object('username', username, 'until', ${HELD_UNTIL})), '[]')
  FROM (SELECT username, given_up_at FROM usernames WHERE user_id = ${user}.id AND given_up_at IS NOT NULL
        ORDER BY given_up_at DESC, username LIMIT ${FORMER_USERNAMES_MAX}) AS former)`;
