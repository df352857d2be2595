import type { OpenedArchive } from './read-archive.js';
import type { SourceComment, SourcePost } from './read-document.js';

interface Count {
  done: number;
  of: number;
}

/** How far an import is: what is done counts, also where it was left out. */
export interface Progress {
  posts: Count;
  comments: Count;
  /** Pictures and videos. */
  files: Count;
  /** 0 to 1: files count by their bytes. */
  share: number;
}

/** What a row weighs, in bytes of a file that takes as long. */
const POST_BYTES = 20_000;
const COMMENT_BYTES = 2_000;

/** The ids of a post's files in the archive. */
export const filesOf = ({ images, videoId }: SourcePost): string[] => [
  ...images.map(({ id }) => id),
  ...(videoId === undefined ? [] : [videoId]),
];

type Sizes = Pick<OpenedArchive, 'sizeOf'>;

export const filesThere = (posts: readonly SourcePost[], { sizeOf }: Sizes): string[] =>
  posts.flatMap(filesOf).filter((id) => sizeOf(id) !== undefined);

export const missingFiles = (posts: readonly SourcePost[], archive: Sizes): number =>
  posts.flatMap(filesOf).length - filesThere(posts, archive).length;

/** Of what the archive has. */
export const bytesOfFiles = (posts: readonly SourcePost[], archive: Sizes): number =>
  filesThere(posts, archive).reduce((sum, id) => sum + (archive.sizeOf(id) ?? 0), 0);

export class Tally {
  private readonly doneFiles = new Set<string>();
  private readonly allFiles: ReadonlySet<string>;
  private donePosts: number;
  private doneComments: number;
  private bytes = 0;
  private readonly allBytes: number;
  /** Of the file on its way, in bytes. */
  private sent = 0;

  /** @param pending what an earlier import has not done */
  constructor(
    private readonly archive: Sizes,
    private readonly posts: readonly SourcePost[],
    private readonly comments: readonly SourceComment[],
    pending: { posts: readonly SourcePost[]; comments: readonly SourceComment[] } = { posts, comments },
  ) {
    this.allFiles = new Set(filesThere(posts, archive));
    this.allBytes =
      bytesOfFiles(posts, archive) + posts.length * POST_BYTES + comments.length * COMMENT_BYTES;
    const waiting = new Set(pending.posts);
    this.donePosts = 0;
    this.doneComments = 0;
    for (const post of posts) if (!waiting.has(post)) this.postIsDone(post);
    this.commentsAreDone(comments.length - pending.comments.length);
  }

  get progress(): Progress {
    const done = this.bytes + this.sent;
    return {
      posts: { done: this.donePosts, of: this.posts.length },
      comments: { done: this.doneComments, of: this.comments.length },
      files: { done: this.doneFiles.size, of: this.allFiles.size },
      share: this.allBytes === 0 ? 0 : Math.min(1, done / this.allBytes),
    };
  }

  /** So many bytes of the file on its way have left. */
  isSent(bytes: number): void {
    this.sent = bytes;
  }

  fileIsDone(id: string): void {
    this.sent = 0;
    if (!this.allFiles.has(id) || this.doneFiles.has(id)) return;
    this.doneFiles.add(id);
    this.bytes += this.archive.sizeOf(id) ?? 0;
  }

  /** With its files, of which some were perhaps left out. */
  postIsDone(post: SourcePost): void {
    for (const id of filesOf(post)) this.fileIsDone(id);
    this.donePosts += 1;
    this.bytes += POST_BYTES;
  }

  commentsAreDone(n: number): void {
    this.doneComments += n;
    this.bytes += n * COMMENT_BYTES;
  }
}
