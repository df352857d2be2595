import type { ImportedComment, ImportedPost } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';

/** By their ids in the source. */
interface Ids {
  posts: string[];
  comments: string[];
}

/** POST /api/me/import: from now on the account takes what this source has (ACCT-46). */
export const beginImport = (sourceUserId: string, signal: AbortSignal) =>
  unwrap(client.POST('/api/me/import', { body: { sourceUserId }, signal }));

/** POST /api/me/import/pending: those of at most 200 posts and 200 comments that are not there yet. */
export const getPending = (ids: Ids, signal: AbortSignal): Promise<Ids> =>
  unwrap(client.POST('/api/me/import/pending', { body: ids, signal }));

/** POST /api/me/import/posts: at most 20; those that are there already stay as they are. */
export const importPosts = (posts: ImportedPost[], signal: AbortSignal) =>
  unwrap(client.POST('/api/me/import/posts', { body: { posts }, signal }));

/** POST /api/me/import/comments: at most 100, on posts that were imported. */
export const importComments = (comments: ImportedComment[], signal: AbortSignal) =>
  unwrap(client.POST('/api/me/import/comments', { body: { comments }, signal }));
