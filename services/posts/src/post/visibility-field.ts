import { Visibility as WireVisibility } from '@pulso/contracts/posts/v1/posts';
import { permissionDenied, validationFailed } from '@pulso/platform/errors/domain-error';
import type { Visibility } from '../feed-index/feed-ranking.js';

/** The visibility in a request; undefined when it has none. Throws `validation-failed`. */
export function readVisibility(visibility: WireVisibility | undefined): Visibility | undefined {
  switch (visibility) {
    case WireVisibility.VISIBILITY_PUBLIC:
      return 'public';
    case WireVisibility.VISIBILITY_SUBSCRIBERS:
      return 'subscribers';
    case undefined:
    case WireVisibility.VISIBILITY_UNSPECIFIED:
      return undefined;
    default:
      throw validationFailed([
        { path: 'visibility', code: 'invalid-value', message: 'visibility must be public or subscribers' },
      ]);
  }
}

/** Only coaches can publish subscribers-only posts (POST-3). */
export function requireCoachFor(visibility: Visibility, author: { isCoach: boolean }): void {
  if (visibility === 'subscribers' && !author.isCoach) {
    throw permissionDenied('Only coaches can publish posts for their subscribers.');
  }
}
