import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import type { Visibility } from '../store/visibility.js';

/** The viewer's blocks and subscriptions, which decide which posts they may read. */
export interface ViewerAccess {
  readonly viewerId: string;
  /** Users the viewer has blocked. */
  readonly blocked: ReadonlySet<string>;
  /** Users who have blocked the viewer. */
  readonly blockedBy: ReadonlySet<string>;
  /** Coach → when access ends, ms; Infinity when open-ended. */
  readonly subscribedUntil: ReadonlyMap<string, number>;
}

/** `hidden`: as if it did not exist; `locked`: the card with the beginning of the text; `open`: the whole post. */
export type Access = 'hidden' | 'locked' | 'open';

export interface Guarded {
  readonly authorId: string;
  readonly visibility: Visibility;
}

/**
 * What the viewer (null: a visitor) may see of a post at `now` (ms), by POST-6 and PEOPLE-23. Following never
 * unlocks. A post hidden by a moderator is visible only to its author, who may edit or delete it.
 */
export function accessTo(
  { authorId, visibility }: Guarded,
  viewer: ViewerAccess | null,
  now: number,
  hiddenByModerator: boolean,
): Access {
  if (authorId === viewer?.viewerId) return 'open';
  if (hiddenByModerator) return 'hidden';
  if (!viewer) return visibility === 'public' ? 'open' : 'locked';
  if (isHiddenFrom(authorId, viewer)) return 'hidden';
  if (visibility === 'public') return 'open';
  return (viewer.subscribedUntil.get(authorId) ?? 0) > now ? 'open' : 'locked';
}

/** Whether a block hides the user and the viewer from each other, so that neither can like or comment (PEOPLE-24). */
export function isHiddenFrom(userId: string, viewer: ViewerAccess | null): boolean {
  return viewer !== null && (viewer.blocked.has(userId) || viewer.blockedBy.has(userId));
}

/** Throws `not-found` for a hidden post, as for an unknown one (POST-7), `subscription-required` for a locked one (POST-8). */
export function requireOpen(access: Access): void {
  if (access === 'hidden') throw notFound('Post not found');
  if (access === 'locked') {
    throw new DomainError('subscription-required', 'Subscribe to see this post.');
  }
}
