import { Visibility as WireVisibility } from '@pulso/contracts/posts/v1/posts';
import { permissionDenied, validationFailed } from '@pulso/platform/errors/domain-error';
import type { Visibility } from '../feed-index/feed-ranking.js';

/** Each visibility in the contract's form. */
export const WIRE_VISIBILITY: Readonly<Record<Visibility, WireVisibility>> = {
  public: WireVisibility.VISIBILITY_PUBLIC,
  subscribers: WireVisibility.VISIBILITY_SUBSCRIBERS,
};
const BY_WIRE = new Map(
  Object.entries(WIRE_VISIBILITY).map(([name, wire]) => [wire, name as Visibility] as const),
);

/** The visibility in a request; undefined when it has none. Throws `validation-failed`. */
export function readVisibility(wire: WireVisibility | undefined): Visibility | undefined {
  if (wire === undefined || wire === WireVisibility.VISIBILITY_UNSPECIFIED) return undefined;
  const visibility = BY_WIRE.get(wire);
  if (visibility) return visibility;
  throw validationFailed([
    { path: 'visibility', code: 'invalid-value', message: 'Must be public or subscribers' },
  ]);
}

/** Only coaches can publish subscribers-only posts (POST-3). */
export function requireCoachFor(visibility: Visibility, author: { isCoach: boolean }): void {
  if (visibility === 'subscribers' && !author.isCoach) {
    throw permissionDenied('Only coaches can publish posts for their subscribers.');
  }
}
