import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';

/** The id of a path; a malformed one answers like one that does not exist (HTTP-17). */
export function pathId(id: string, message?: string): string {
  if (isId(id)) return id;
  throw notFound(message);
}
