import { IMPORT, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { isId, timeOfId } from '@pulso/platform/ids/uuid-v7';
import type { FieldProblems } from '@pulso/platform/validation/field-problems';

/**
 * Checks `sourceId`, an id of the archive, whose time is that of what is imported, and not later than `begunAt`, when the import was begun,
 * in ms (ACCT-46).
 */
export function checkSourceId(sourceId: string, begunAt: number, problems: FieldProblems): void {
  const isPossible = isId(sourceId) && timeOfId(sourceId) >= IMPORT.since && timeOfId(sourceId) <= begunAt;
  if (!isPossible) problems.add('sourceId', 'invalid-value', VALIDATION_MESSAGES.sourceId);
}
