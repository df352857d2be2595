import type { Visibility } from '../../../api/types.js';
import { ArchiveError } from './archive-error.js';
import { leaveOut } from './left-out.js';
import type { LeftOut } from './left-out.js';

const FORMAT = 'pulso-export';
const VERSION = 1;

interface SourceImage {
  /** Of its file in the archive. */
  id: string;
  alt: string;
  caption: string;
}

export interface SourcePost {
  /** Has the time of the post in it. */
  sourceId: string;
  content: string;
  visibility: Visibility;
  /** ISO 8601. */
  editedAt?: string;
  images: readonly SourceImage[];
  /** Of its file in the archive. */
  videoId?: string;
  /** As the author has written it. */
  videoLink?: string;
}

export interface SourceComment {
  sourceId: string;
  postSourceId: string;
  content: string;
}

export interface SourceProfile {
  name: string;
  bio: string;
  isCoach: boolean;
  specialties: readonly string[];
  /** Of its file in the archive. */
  pictureId?: string;
}

/** What was known of a file when it was uploaded; the size in bytes. */
interface SourceFile {
  name?: string;
  originalSize?: number;
}

/** What an archive's document has for an import. */
export interface Source {
  userId: string;
  /** ISO 8601, where the document says it. */
  exportedAt?: string;
  /** Posts that can be imported, as they stand in the document. */
  posts: readonly SourcePost[];
  /** Comments of the user on `posts`. */
  comments: readonly SourceComment[];
  profile: SourceProfile;
  files: ReadonlyMap<string, SourceFile>;
  /** What no import takes. */
  leftOut: LeftOut;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads a document of the export (ACCT-35). Anybody may have changed it: what is not of its shape is left out, and counted.
 * @throws ArchiveError
 */
export function readDocument(document: unknown): Source {
  if (!isRow(document) || document['format'] !== FORMAT) throw new ArchiveError('otherFormat');
  if (document['version'] !== VERSION) throw new ArchiveError('otherVersion');
  const { userId, services, complete, exportedAt } = document;
  if (complete !== true) throw new ArchiveError('incomplete');
  if (!isId(userId) || !isRow(services)) throw new ArchiveError('otherFormat');

  const rows = (service: string, section: string): readonly unknown[] => {
    const sections = services[service];
    const found = isRow(sections) ? sections[section] : undefined;
    return Array.isArray(found) ? (found as unknown[]) : [];
  };
  const count = (service: string, ...sections: string[]) =>
    sections.reduce((sum, section) => sum + rows(service, section).length, 0);

  const leftOut: LeftOut = {};
  const posts = readPosts(rows('posts', 'posts'), leftOut);
  const comments = readComments(rows('posts', 'comments'), posts, leftOut);
  leaveOut(leftOut, 'likes', count('posts', 'likes'));
  leaveOut(leftOut, 'follows', count('social', 'following', 'followers'));
  leaveOut(leftOut, 'reviews', count('social', 'reviews', 'reviewsReceived'));
  leaveOut(leftOut, 'messages', count('messaging', 'sentMessages', 'receivedMessages'));
  leaveOut(leftOut, 'subscriptions', count('billing', 'subscriptions', 'subscribers'));
  return {
    ...{ userId, posts, comments, leftOut },
    ...timeOf('exportedAt', exportedAt),
    profile: readProfile(rows('identity', 'account')[0]),
    files: readFiles(rows('media', 'files'), rows('media', 'videos')),
  };
}

function readPosts(rows: readonly unknown[], leftOut: LeftOut): SourcePost[] {
  const posts = new Map<string, SourcePost>();
  for (const row of rows) {
    const post = readPost(row);
    if (post === undefined) leaveOut(leftOut, 'unreadable');
    else if (isHidden(row)) leaveOut(leftOut, 'hiddenPosts');
    else posts.set(post.sourceId, post);
  }
  return [...posts.values()];
}

function readPost(row: unknown): SourcePost | undefined {
  if (!isRow(row)) return undefined;
  const { id, content = '', visibility, editedAt, images, videoId, videoLink } = row;
  if (!isId(id) || typeof content !== 'string') return undefined;
  if (visibility !== 'public' && visibility !== 'subscribers') return undefined;
  return {
    ...{ sourceId: id, content, visibility },
    images: Array.isArray(images) ? images.flatMap(readImage) : [],
    ...timeOf('editedAt', editedAt),
    ...(isId(videoId) && { videoId }),
    ...(isRow(videoLink) && typeof videoLink['originalUrl'] === 'string'
      ? { videoLink: videoLink['originalUrl'] }
      : {}),
  };
}

function readImage(row: unknown): SourceImage[] {
  if (!isRow(row) || !isId(row['id'])) return [];
  return [{ id: row['id'], alt: textOf(row['alt']), caption: textOf(row['caption']) }];
}

function readComments(
  rows: readonly unknown[],
  posts: readonly SourcePost[],
  leftOut: LeftOut,
): SourceComment[] {
  const own = new Set(posts.map(({ sourceId }) => sourceId));
  const comments = new Map<string, SourceComment>();
  for (const row of rows) {
    const comment = readComment(row);
    if (comment === undefined) leaveOut(leftOut, 'unreadable');
    else if (isHidden(row)) leaveOut(leftOut, 'hiddenComments');
    else if (!own.has(comment.postSourceId)) leaveOut(leftOut, 'commentsElsewhere');
    else comments.set(comment.sourceId, comment);
  }
  return [...comments.values()];
}

function readComment(row: unknown): SourceComment | undefined {
  if (!isRow(row)) return undefined;
  const { id, postId, content } = row;
  if (!isId(id) || !isId(postId)) return undefined;
  return typeof content === 'string' ? { sourceId: id, postSourceId: postId, content } : undefined;
}

function readProfile(row: unknown): SourceProfile {
  const { name, bio, isCoach, specialties, profileImageId } = isRow(row) ? row : ({} as Row);
  return {
    name: textOf(name),
    bio: textOf(bio),
    isCoach: isCoach === true,
    specialties: Array.isArray(specialties)
      ? specialties.filter((one): one is string => typeof one === 'string')
      : [],
    ...(typeof profileImageId === 'string' && { pictureId: profileImageId }),
  };
}

function readFiles(images: readonly unknown[], videos: readonly unknown[]): Map<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  for (const row of [...images, ...videos]) {
    if (!isRow(row) || typeof row['id'] !== 'string') continue;
    const name = textOf(row['originalName'] ?? row['name']);
    const size = row['originalSize'];
    files.set(row['id'], {
      ...files.get(row['id']),
      ...(isName(name) && { name }),
      ...(isSize(size) && { originalSize: size }),
    });
  }
  return files;
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the API takes for an id: it refuses a whole call with a longer one. */
const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 64;

/** What the API takes for a file's name: it refuses the file with a longer one. In code points. */
const NAME_LENGTH = 255;
const isName = (name: string): boolean => name !== '' && [...name].length <= NAME_LENGTH;

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isHidden = (row: unknown): boolean => isRow(row) && typeof row['hiddenAt'] === 'string';

/** Another program may have written a time with an offset: the API takes times of UTC alone. */
function timeOf<Field extends string>(field: Field, value: unknown): Partial<Record<Field, string>> {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? {} : ({ [field]: new Date(ms).toISOString() } as Record<Field, string>);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
