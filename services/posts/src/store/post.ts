import { REFUSALS, TEXT_LIMITS } from '@pulso/contracts/limits';
import type { Post } from '@pulso/contracts/posts/v1/posts';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { graphemesOf, wordBoundary } from '@pulso/platform/text/graphemes';
import { cleanText, codePointLength } from '@pulso/platform/text/text-rules';
import type { Visibility } from '../feed-index/feed-ranking.js';
import type { AttachedImage } from './attached-image.js';
import type { NewPost } from './post.repository.js';

/** Graphemes of a locked post that everyone may read (POST-6), and no more than one in this many. */
const PREVIEW_GRAPHEMES = 100;
const PREVIEW_PART = 2;
/** Marks pile up on a letter without end. The longest emojis have 10 code points: a hundred of them fit. */
const PREVIEW_CODE_POINTS = 1_000;
/** The epoch of a new post's media addresses; that of posts from before there was media. */
export const FIRST_MEDIA_EPOCH = 1;
const NO_IMAGES: readonly AttachedImage[] = [];

/** A new post's text, trimmed. Throws `validation-failed` on `content`, also for an empty text without media. */
export function readNewContent(input: string, withMedia = false): string {
  const content = readContent(input);
  if (content !== '' || withMedia) return content;
  throw validationFailed([{ path: 'content', code: 'required', message: REFUSALS.emptyPost }]);
}

/** The text of a new or edited post, trimmed; it may be empty. Throws `validation-failed` on `content`. */
export function readContent(input: string): string {
  const { value, problem } = cleanText(input, TEXT_LIMITS.post);
  if (problem) throw validationFailed([{ path: 'content', ...problem }]);
  return value;
}

export interface Preview {
  content: string;
  truncated: boolean;
}

/**
 * The part of a text that viewers without access see: never more than half of it, so that nothing is given away whole. It ends
 * with a word where there is one.
 */
export function previewOf(content: string): Preview {
  /** Where each grapheme ends that may be shown, in code units. */
  const ends: number[] = [];
  let graphemes = 0;
  let codePoints = 0;
  let read = 0;
  for (const { segment, index } of graphemesOf(content)) {
    graphemes += 1;
    codePoints += codePointLength(segment);
    read = index + segment.length;
    if (ends.length < PREVIEW_GRAPHEMES && codePoints <= PREVIEW_CODE_POINTS) ends.push(read);
    if (graphemes === PREVIEW_PART * PREVIEW_GRAPHEMES) break;
  }
  const shown = ends.slice(0, Math.floor(graphemes / PREVIEW_PART));
  const boundary = wordBoundary(content.slice(0, read), shown.at(-1) ?? 0);
  while (shown.length > 0 && (shown.at(-1)! > boundary || endsBlank(content, shown))) shown.pop();
  return { content: content.slice(0, shown.at(-1) ?? 0), truncated: content !== '' };
}

/** Whether the last of these graphemes is white space. */
function endsBlank(content: string, ends: readonly number[]): boolean {
  return content.slice(ends.at(-2) ?? 0, ends.at(-1)).trim() === '';
}

/**
 * A cached post. What is stored of it never changes: a newer version replaces the whole. Only the views that `PostViews` builds of
 * it are added. Times in ms.
 */
export class PostBody {
  /**
   * The views of the post that `PostViews.shared` has built, and the minute in which their addresses were signed; 0 where
   * these do not expire.
   */
  readonly views: (Post | undefined)[] = [];
  signedIn = 0;
  private shortened: Preview | undefined;

  /** `size`: no fewer than the post's bytes in an answer, and about what it takes in memory with its shared views. */
  private constructor(
    readonly id: string,
    readonly version: number,
    readonly authorId: string,
    readonly visibility: Visibility,
    readonly content: string,
    readonly likeCount: number,
    readonly commentCount: number,
    readonly createdAt: number,
    readonly updatedAt: number,
    readonly editedAt: number | undefined,
    readonly images: readonly AttachedImage[],
    readonly mediaEpoch: number,
    readonly size: number,
  ) {}

  static of(post: NewPost): PostBody {
    const images = post.images ?? NO_IMAGES;
    return new PostBody(
      post._id,
      post.version,
      post.authorId,
      post.visibility,
      post.content,
      post.likeCount,
      post.commentCount,
      post.createdAt.getTime(),
      post.updatedAt.getTime(),
      post.editedAt?.getTime(),
      images,
      post.mediaEpoch ?? FIRST_MEDIA_EPOCH,
      sizeOf(post.content, images),
    );
  }

  /** Cached, because segmenting costs as much as the rest of a page. */
  get preview(): Preview {
    this.shortened ??= previewOf(this.content);
    return this.shortened;
  }
}

/** A code unit takes at most 3 bytes in UTF-8. */
const CODE_UNIT = 3;
/** Everything besides the texts: of the post with its author, and of an image with its facts and two addresses. */
const POST_REST = 1_200;
const IMAGE_REST = 1_800;

function sizeOf(content: string, images: readonly AttachedImage[]): number {
  return images.reduce(
    (sum, { alt, caption, originalName }) =>
      sum + CODE_UNIT * (alt.length + caption.length + originalName.length) + IMAGE_REST,
    CODE_UNIT * content.length + POST_REST,
  );
}
