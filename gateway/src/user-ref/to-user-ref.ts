import type { Author as AuthorMessage } from '@pulso/contracts/posts/v1/posts';
import type { UserPage } from '@pulso/contracts/social/v1/social';
import { apiCursor } from '../http/bodies/list-query.js';
import { avatarUrl } from './avatar.js';
import type { Author, UserRef, UserRefPage } from './user-ref.dto.js';

/** The fields that identity, posts and social all send for a user. */
interface Person {
  id: string;
  name: string;
  username: string;
  /** Empty: no picture. */
  profileImageId: string;
  isCoach: boolean;
}

export function toUserRef({ id, name, username, profileImageId, isCoach }: Person): UserRef {
  const profileImage = profileImageId === '' ? avatarUrl(name) : pictureUrl(profileImageId);
  return { id, name, username: username === '' ? null : username, profileImage, isCoach };
}

/** Pictures of profiles are public, so that their addresses are not signed (MEDIA-6). */
export const pictureUrl = (profileImageId: string) => `/media/${profileImageId}/avatar`;

export function toUserRefPage({ items, nextCursor }: UserPage): UserRefPage {
  return { items: items.map(toUserRef), nextCursor: apiCursor(nextCursor) };
}

interface Priced {
  subscriptionPriceMinor?: number | undefined;
  subscriptionCurrency: string;
}

export interface Price {
  subscriptionPrice: number | null;
  subscriptionCurrency: 'MXN' | 'USD' | null;
}

export function toPrice({ subscriptionPriceMinor, subscriptionCurrency }: Priced): Price {
  return {
    subscriptionPrice: subscriptionPriceMinor === undefined ? null : subscriptionPriceMinor / 100,
    subscriptionCurrency: toCurrency(subscriptionCurrency),
  };
}

/** Null for none. */
export function toCurrency(code: string): 'MXN' | 'USD' | null {
  if (code === '') return null;
  if (code === 'MXN' || code === 'USD') return code;
  throw new Error(`Unknown currency ${code}`);
}

export function toAuthor(author: AuthorMessage): Author {
  // The fields are listed, since spreading two objects costs ten times as much, and a page has twenty authors.
  const { id, name, username, profileImage, isCoach } = toUserRef(author);
  const { subscriptionPrice, subscriptionCurrency } = toPrice(author);
  return { id, name, username, profileImage, isCoach, subscriptionPrice, subscriptionCurrency };
}

/** A message that its service always sets, but protobuf cannot require. */
export function required<T>(message: T | undefined, name: string): T {
  if (message === undefined) throw new Error(`The answer has no ${name}`);
  return message;
}
