import type { CommentDocument } from '../store/comment.schema.js';
import type { PostDocument } from '../store/post.schema.js';

/** A post or comment as moderators see it, whatever its visibility. */
export interface ModeratedText {
  id: string;
  /** The author's username, or their id while the projection does not hold them. */
  author: string;
  authorId: string;
  authorStatus: 'active' | 'suspended' | 'deleted' | 'unknown';
  createdAt: string;
  /** Null unless its author brought it here from elsewhere: `createdAt` is then what an archive says. */
  importedAt: string | null;
  /** Empty once deleted. */
  content: string;
  state: 'visible' | 'hidden' | 'deleted';
  /** Why a moderator hides it; null when visible. */
  reason: string | null;
}

export interface ModeratedPost extends ModeratedText {
  visibility: PostDocument['visibility'];
  /** None once it is deleted. */
  pictures: readonly ModeratedPicture[];
  /** Null without a video, and once the post is deleted. */
  video: ModeratedVideo | null;
}

export interface ModeratedPicture {
  /** Path and query under Pulso's own address. Whoever has it sees the picture, for 5 minutes at most. */
  address: string;
  alt: string;
  caption: string;
}

export interface ModeratedVideo {
  /** `link`: not uploaded, but somewhere on the web. */
  state: 'processing' | 'ready' | 'failed' | 'link';
  /**
   * The link as its author gave it, or path and query under Pulso's own address, which open the video for 5 minutes at most, or for
   * twice its length if that is more. Empty while there is nothing to see.
   */
  address: string;
}

/** A comment with its post and its neighbours, oldest first. */
export interface ModeratedComment {
  comment: ModeratedText;
  post: ModeratedPost | null;
  before: readonly ModeratedText[];
  after: readonly ModeratedText[];
}

/**
 * Decides each stored field: the field of the view in which moderators see it, or why they do not. A field that is added to the
 * document does not compile until it is decided, and one that they see does not until the view has it. Objects in a list are
 * decided field by field.
 */
export type Decided<Stored, View> = {
  readonly [K in keyof Stored]-?: LeftOut | Shown<NonNullable<Stored[K]>, View>;
};
interface LeftOut {
  readonly leftOut: string;
}
type Shown<Value, View> = Value extends readonly (infer Part extends object)[]
  ? { [K in keyof View]-?: ShownList<Part, K, View[K]> }[keyof View]
  : keyof View;
type ShownList<Part, Name, List> = List extends readonly (infer Seen extends object)[]
  ? { readonly as: Name; readonly fields: Decided<Part, Seen> }
  : never;

const STATE = { leftOut: 'the state tells it' } as const;
const STORE = { leftOut: 'the store keeps it for itself' } as const;
const COUNT = { leftOut: 'a number, which nobody wrote' } as const;

const TEXT_FIELDS = {
  _id: 'id',
  authorId: 'author',
  content: 'content',
  mentionedIds: { leftOut: 'the content has their names' },
  createdAt: 'createdAt',
  importedAt: 'importedAt',
  live: 'state',
  hiddenReason: 'reason',
  hiddenAt: STATE,
  deletedAt: STATE,
  updatedAt: { leftOut: 'what is shown is the latest' },
  likeCount: COUNT,
  erasing: STORE,
  version: STORE,
  expiresAt: STORE,
  changedAt: STORE,
  dirtyAt: STORE,
  dirtyVersion: STORE,
  traceparent: STORE,
  idempotencyId: STORE,
  idempotencyHash: STORE,
  idempotencyAnswer: STORE,
  idempotencyAt: STORE,
} as const satisfies Decided<Pick<PostDocument, keyof PostDocument & keyof CommentDocument>, ModeratedText>;

const FILE = { leftOut: 'the picture itself is shown' } as const;

export const POST_FIELDS = {
  ...TEXT_FIELDS,
  visibility: 'visibility',
  images: {
    as: 'pictures',
    fields: {
      id: 'address',
      alt: 'alt',
      caption: 'caption',
      width: FILE,
      height: FILE,
      blurhash: FILE,
      bytes: FILE,
      originalSize: FILE,
      originalName: { leftOut: 'no page shows the name of the file' },
    },
  },
  videoId: { leftOut: 'the video itself is shown' },
  videoFacts: 'video',
  videoLink: 'video',
  mediaEpoch: 'pictures',
  commentCount: COUNT,
  importedComments: COUNT,
  editedAt: { leftOut: 'what is shown is the latest' },
} as const satisfies Decided<PostDocument, ModeratedPost>;

export const COMMENT_FIELDS = {
  ...TEXT_FIELDS,
  postId: 'post',
  postAuthorId: { leftOut: 'the post tells it' },
  authorHidden: { leftOut: 'the status of the author tells it' },
  hiddenOfPost: STATE,
  importedTo: STORE,
  uncounted: STORE,
  counted: STORE,
} as const satisfies Decided<CommentDocument, ModeratedText & Pick<ModeratedComment, 'post'>>;

/** The fields that moderators see: their views are made of these alone. */
type Visible<Stored, Fields extends { readonly [K in keyof Stored]-?: unknown }> = Pick<
  Stored,
  { [K in keyof Stored]-?: Fields[K] extends LeftOut ? never : K }[keyof Stored]
>;
export type VisiblePost = Visible<PostDocument, typeof POST_FIELDS>;
export type VisibleComment = Visible<CommentDocument, typeof COMMENT_FIELDS>;

/** The fields of a post's view that are the post's own fields. */
export function ownFieldsOf({
  visibility,
}: VisiblePost): Omit<ModeratedPost, keyof ModeratedText | 'pictures' | 'video'> {
  return { visibility };
}
