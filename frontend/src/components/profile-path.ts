import type { UserRef } from '../api/types.js';

/** The link of a person's name (UI-9): /{username}, otherwise /coaches/{id} or /profile/{id}. */
export const profilePath = ({
  id,
  username,
  isCoach,
}: Pick<UserRef, 'id' | 'username' | 'isCoach'>): string =>
  username ? `/${username}` : isCoach ? coachPath(id) : `/profile/${id}`;

/** The coach profile, where its owner can also publish. */
export const coachPath = (id: string): string => `/coaches/${id}`;

/** Every address of a person's page (UI-1). */
export const addressesOf = (user: Pick<UserRef, 'id' | 'username' | 'isCoach'>): string[] => [
  profilePath(user),
  coachPath(user.id),
  `/profile/${user.id}`,
];
