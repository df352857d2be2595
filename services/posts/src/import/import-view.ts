import type { ImportState } from '@pulso/contracts/posts/v1/posts';
import type { ImportRow } from '../store/import.schema.js';

/** The response for what a user has imported. */
export function viewImport(row: ImportRow | null): ImportState {
  const { sourceUserId, posts = 0, comments = 0 } = row ?? {};
  return { sourceUserId, posts, comments };
}
