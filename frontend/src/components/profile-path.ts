import type { UserRef } from '../api/types.js';

/** Where a person's name leads (product.md section 2): /{username}, else /coaches/{id} or /profile/{id}. */
export const profilePath = ({
  id,
  username,
  isCoach,
}: Pick<UserRef, 'id' | 'username' | 'isCoach'>): string =>
  username ? `/${username}` : isCoach ? coachPath(id) : `/profile/${id}`;

/** The coach profile, where a coach publishes as well. */
export const coachPath = (id: string): string => `/coaches/${id}`;
