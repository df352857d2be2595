import { REFUSALS, TEXT_LIMITS } from '@pulso/contracts/limits';
import type { Post } from '@pulso/contracts/posts/v1/posts';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { cleanText } from '@pulso/platform/text/text-rules';
import type { Visibility } from '../feed-index/feed-ranking.js';
import type { NewPost } from './post.repository.js';

/** Graphemes of a locked post that everyone may read (POST-6). */
const PREVIEW_GRAPHEMES = 100;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * A new post's text, trimmed. Throws `validation-failed` on `content`, also for an empty text, because posts have no
 * media yet.
 */
export function readNewContent(input: string): string {
  return readContent(input, REFUSALS.emptyPost);
}

/** The text of an edited post, trimmed. Throws `validation-failed` on `content`. */
export function readEditedContent(input: string): string {
  return readContent(input, REFUSALS.emptyEdit);
}

/** The part of a text that viewers without access see, and whether it was truncated. */
export function previewOf(content: string): { content: string; truncated: boolean } {
  if (content.length <= PREVIEW_GRAPHEMES) return { content, truncated: false };
  let count = 0;
  for (const { index } of graphemes.segment(content)) {
    if (count === PREVIEW_GRAPHEMES) return { content: content.slice(0, index), truncated: true };
    count += 1;
  }
  return { content, truncated: false };
}

/** A cached post: immutable, replaced as a whole by a newer version. Times in ms. */
export class PostBody {
  /** The views of the post that `viewSharedPost` has built. */
  readonly views: (Post | undefined)[] = [];
  private shortened: { content: string; truncated: boolean } | undefined;

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
  ) {}

  static of(post: NewPost): PostBody {
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
    );
  }

  /** Cached, because segmenting costs as much as the rest of a page. */
  get preview(): { content: string; truncated: boolean } {
    this.shortened ??= previewOf(this.content);
    return this.shortened;
  }
}

function readContent(input: string, whenEmpty: string): string {
  const { value, problem } = cleanText(input, TEXT_LIMITS.post);
  if (problem) throw validationFailed([{ path: 'content', ...problem }]);
  if (value === '') throw validationFailed([{ path: 'content', code: 'required', message: whenEmpty }]);
  return value;
}
