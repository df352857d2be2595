import { Visibility as WireVisibility } from '@pulso/contracts/posts/v1/posts';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import type { FieldProblems } from '@pulso/platform/validation/field-problems';

/** Each visibility in the contract's form. */
export const WIRE_VISIBILITY = {
  public: WireVisibility.VISIBILITY_PUBLIC,
  subscribers: WireVisibility.VISIBILITY_SUBSCRIBERS,
} as const;

export type Visibility = keyof typeof WIRE_VISIBILITY;

const BY_WIRE = new Map(
  Object.entries(WIRE_VISIBILITY).map(([name, wire]) => [wire as WireVisibility, name as Visibility]),
);

/** The visibility in a request; undefined when it has none, or one that is a problem. */
export function readVisibility(
  wire: WireVisibility | undefined,
  problems: FieldProblems,
): Visibility | undefined {
  if (wire === undefined || wire === WireVisibility.VISIBILITY_UNSPECIFIED) return undefined;
  const visibility = BY_WIRE.get(wire);
  if (!visibility) problems.add('visibility', 'invalid-value', 'Must be public or subscribers');
  return visibility;
}

/** Only coaches can publish subscribers-only posts (POST-3). */
export function requireCoachFor(visibility: Visibility, author: { isCoach: boolean }): void {
  if (visibility === 'subscribers' && !author.isCoach) {
    throw permissionDenied('Only coaches can publish posts for their subscribers.');
  }
}
