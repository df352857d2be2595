import { useLiveRelations } from './use-live-relations.js';

/** `useLiveRelations`, for signed-in viewers alone. */
export function LiveRelations() {
  useLiveRelations();
  return null;
}
