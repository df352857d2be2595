import type { ListedUser } from '../api/get-user-list.js';
import { FollowButton } from './follow-button.js';

/**
 * Follow beside a person in a dialog. Not for visitors, whose press would be forgotten at the login, as the dialog is not
 * there afterwards; nor for oneself (PEOPLE-20), nor where it is not known who is followed.
 */
export function FollowInList({ person }: { person: ListedUser }) {
  const { viewer } = person;
  if (!viewer || viewer.isSelf || viewer.following === null) return null;
  return <FollowButton profile={{ ...person, viewer }} compact />;
}
