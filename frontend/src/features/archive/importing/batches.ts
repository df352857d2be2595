import { SETTINGS_LIMITS } from '../../../api/settings-limits.js';
import type { SourceComment, SourcePost } from './read-document.js';

/** The most rows of a call (LIMIT-21). */
const { importedPosts, importedComments, pendingIds } = SETTINGS_LIMITS;
/** A body may have 1 MiB; a smaller one is done in time on a slow network. In bytes. */
const BODY_BYTES = 256 * 1024;
/** Their files are sent before: of a batch that is cut off they are sent again. */
const FILES_AT_ONCE = 10;

interface Bounds {
  rows: number;
  files: number;
}

const bytesOf = (row: unknown): number => new TextEncoder().encode(JSON.stringify(row)).length;

function* batchesOf<Row>(
  rows: readonly Row[],
  most: Bounds,
  filesOf: (row: Row) => number,
): Generator<Row[]> {
  let batch: Row[] = [];
  let files = 0;
  let bytes = 0;
  for (const row of rows) {
    const [itsFiles, itsBytes] = [filesOf(row), bytesOf(row)];
    const isFull =
      batch.length === most.rows || files + itsFiles > most.files || bytes + itsBytes > BODY_BYTES;
    if (batch.length > 0 && isFull) {
      yield batch;
      [batch, files, bytes] = [[], 0, 0];
    }
    batch.push(row);
    files += itsFiles;
    bytes += itsBytes;
  }
  if (batch.length > 0) yield batch;
}

export const batchesOfPosts = (posts: readonly SourcePost[]) =>
  batchesOf(posts, { rows: importedPosts, files: FILES_AT_ONCE }, (post) =>
    post.videoId === undefined ? post.images.length : 1,
  );

export const batchesOfComments = (comments: readonly SourceComment[]) =>
  batchesOf(comments, { rows: importedComments, files: 0 }, () => 0);

interface Rows {
  posts: readonly SourcePost[];
  comments: readonly SourceComment[];
}

/** What is asked for at once, of posts and comments alike. */
export function* batchesOfIds({ posts, comments }: Rows): Generator<{ posts: string[]; comments: string[] }> {
  const ids = (rows: readonly { sourceId: string }[], from: number) =>
    rows.slice(from, from + pendingIds).map(({ sourceId }) => sourceId);
  for (let from = 0; from < Math.max(posts.length, comments.length); from += pendingIds)
    yield { posts: ids(posts, from), comments: ids(comments, from) };
}
