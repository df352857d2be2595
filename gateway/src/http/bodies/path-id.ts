import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';

/**
 * The id of a path; a malformed one answers like one that does not exist (HTTP-17). Not for a call with a body that its service
 * judges: there the service gets the id as it is, and refuses first the body and then the id (HTTP-16).
 */
export function pathId(id: string, message?: string): string {
  if (isId(id)) return id;
  throw notFound(message);
}
