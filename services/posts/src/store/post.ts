import { VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import type { EditPostRequest, ImageChoice, PublishPostRequest } from '@pulso/contracts/posts/v1/posts';
import type { NewDocument } from '@pulso/platform/mongo/owned-collection';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import { type AttachedImage, readEditedImages, readNewImages, textLengthOf } from './attached-image.js';
import {
  hasVideo,
  readVideo,
  type VideoFields,
  videoTextLengthOf,
  type WantedVideo,
} from './attached-video.js';
import type { PostDocument, PostDraft } from './post.schema.js';
import { readVisibility } from './visibility.js';

/** The epoch of a new post's media addresses; that of posts from before there was media. */
export const FIRST_MEDIA_EPOCH = 1;
/** POST-2. */
const IMAGES_AND_VIDEO = 'A post has images or a video, not both.';
const NO_IMAGES: readonly AttachedImage[] = [];

/** A post about to be inserted. */
export type NewPost = NewDocument<PostDocument>;

/** A new post as its author wants it, and which images or video. */
export interface WantedPost {
  draft: PostDraft;
  choices: ImageChoice[];
  video: WantedVideo | undefined;
}

/** What the author wants to change; undefined: nothing of it. */
interface WantedChange {
  draft: DraftChange;
  choices: ImageChoice[] | undefined;
}

/** Every field has to be named, also one that may be absent. */
export type Whole<T> = { [K in keyof Required<T>]: T[K] };
type DraftChange = { readonly [F in keyof Whole<PostDraft>]: PostDraft[F] | undefined };

/** Reads a request to publish. Throws `validation-failed` with all problems (POST-1, POST-2, POST-4). */
export function readNewPost(request: PublishPostRequest): WantedPost {
  const problems = new FieldProblems();
  const wanted = readPost(request, problems);
  problems.check();
  return wanted;
}

/** The same, where the problems of a longer request are told together. */
export function readPost(request: PublishPostRequest, problems: FieldProblems): WantedPost {
  const { images, video: choice } = request;
  const draft: Whole<PostDraft> = {
    content: problems.text('content', request.content, TEXT_LIMITS.post),
    visibility: readVisibility(request.visibility, problems) ?? 'public',
  };
  const choices = readNewImages(images, problems);
  const video = choice && readVideo(choice, problems);
  if (choice && images.length > 0) problems.add('video', 'images-and-video', IMAGES_AND_VIDEO);
  if (!choice && isEmpty({ ...draft, images }))
    problems.add('content', 'required', VALIDATION_MESSAGES.emptyPost);
  return { draft, choices, video };
}

/** Reads a request to edit. Throws like `readNewPost`, but a text may be empty. */
export function readEdit(request: EditPostRequest): WantedChange {
  const problems = new FieldProblems();
  const { content, images } = request;
  const draft = {
    content: content === undefined ? undefined : problems.text('content', content, TEXT_LIMITS.post),
    visibility: readVisibility(request.visibility, problems),
  };
  const choices = images && readEditedImages(images.items, problems);
  problems.check();
  return { draft, choices };
}

/** The fields of the draft that differ from the post's. */
export function changesOf(post: PostDraft, draft: DraftChange): Partial<PostDraft> {
  const names = Object.keys(draft) as (keyof PostDraft)[];
  // A text that the post does not have is an empty one.
  const changed = names.filter((name) => draft[name] !== undefined && draft[name] !== (post[name] ?? ''));
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}

type Shown = Pick<PostDraft, 'content'> & { images?: readonly unknown[] } & VideoFields;

/** Whether the post has neither text nor image nor video (POST-4, POST-5). */
export function isEmpty(post: Shown): boolean {
  return post.content === '' && (post.images ?? []).length === 0 && !hasVideo(post);
}

/** Throws `validation-failed` for a post with both (POST-2). */
export function requireOneKindOfMedia({ images, ...post }: Shown): void {
  if ((images ?? []).length === 0 || !hasVideo(post)) return;
  throw validationFailed([{ path: 'images', code: 'images-and-video', message: IMAGES_AND_VIDEO }]);
}

/**
 * `text`: of any length, in the author's words. Cached and measured; a deletion empties it.
 * `media`: the same for images and video, which a deletion removes.
 * `count`: cached; a deletion sets it to 0.
 * `short`: cached; a deletion leaves it.
 * `removed`: not cached; a deletion removes it.
 * `internal`: not cached; a deletion leaves it, or `PostRepository.markDeleted` sets it.
 */
type FieldKind = 'text' | 'media' | 'count' | 'short' | 'removed' | 'internal';
type CachedKind = 'text' | 'media' | 'count' | 'short';

/**
 * The kind of each stored field. A field that is added to the document does not compile until it has one, and what an author
 * writes at any length must be `text`.
 */
export type FieldKinds<Document, Draft> = {
  readonly [F in keyof Document]-?: F extends keyof Draft
    ? string extends Draft[F]
      ? 'text'
      : FieldKind
    : FieldKind;
};

/** What is cached, what counts in the size, and what a deletion empties follow from it. */
export const FIELD_KINDS = {
  _id: 'short',
  version: 'short',
  authorId: 'short',
  content: 'text',
  visibility: 'short',
  images: 'media',
  videoId: 'removed',
  videoFacts: 'media',
  videoLink: 'media',
  mediaEpoch: 'short',
  likeCount: 'count',
  commentCount: 'count',
  importedComments: 'internal',
  createdAt: 'short',
  updatedAt: 'short',
  editedAt: 'short',
  importedAt: 'short',
  mentionedIds: 'removed',
  hiddenReason: 'removed',
  hiddenAt: 'removed',
  live: 'internal',
  erasing: 'internal',
  deletedAt: 'internal',
  expiresAt: 'internal',
  changedAt: 'internal',
  dirtyAt: 'internal',
  dirtyVersion: 'internal',
  traceparent: 'internal',
  idempotencyId: 'internal',
  idempotencyHash: 'internal',
  idempotencyAnswer: 'internal',
  idempotencyAt: 'internal',
} as const satisfies FieldKinds<PostDocument, PostDraft>;

type FieldOf<Kind> = {
  [F in keyof PostDocument]-?: (typeof FIELD_KINDS)[F] extends Kind ? F : never;
}[keyof PostDocument];

function fieldsOf<Kind extends FieldKind>(...kinds: readonly Kind[]): FieldOf<Kind>[] {
  const all = Object.entries(FIELD_KINDS) as [FieldOf<Kind>, FieldKind][];
  return all.filter(([, kind]) => kinds.includes(kind as Kind)).map(([name]) => name);
}

const TEXT_FIELDS = fieldsOf('text');
const CACHED_FIELDS = fieldsOf('text', 'media', 'count', 'short');

/** What a deletion empties and removes. */
export const DELETION = {
  set: Object.fromEntries([
    ...TEXT_FIELDS.map((name) => [name, ''] as const),
    ...fieldsOf('count').map((name) => [name, 0] as const),
  ]) as Partial<PostDocument>,
  unset: fieldsOf('media', 'removed'),
};

type Cached = Pick<NewPost, FieldOf<CachedKind> & keyof NewPost>;
/** The fields of a post that processes keep in memory; times in ms. */
export type CachedFields = {
  readonly [F in keyof Cached]: Date extends Cached[F] ? Exclude<Cached[F], Date> | number : Cached[F];
} & { readonly images: readonly AttachedImage[]; readonly mediaEpoch: number };

export function cachedFieldsOf(post: NewPost): CachedFields {
  const fields = CACHED_FIELDS.map((name) => {
    const value = post[name];
    return [name, value instanceof Date ? value.getTime() : value] as const;
  });
  const { images = NO_IMAGES, mediaEpoch = FIRST_MEDIA_EPOCH } = post;
  return { ...Object.fromEntries(fields), images, mediaEpoch } as unknown as CachedFields;
}

/** A code unit takes at most 3 bytes in UTF-8. */
const CODE_UNIT_BYTES = 3;
/** Everything besides the texts: of the post with its author, and of an image or video with its facts and two addresses. */
const POST_BASE_BYTES = 1_200;
const MEDIA_BASE_BYTES = 1_800;

/** No fewer than the post's bytes in an answer, and about what it takes in memory with its shared views. */
export function sizeOf(post: CachedFields): number {
  const texts = TEXT_FIELDS.reduce((sum, name) => sum + (post[name] ?? '').length, 0);
  const video = hasVideo(post) ? CODE_UNIT_BYTES * videoTextLengthOf(post) + MEDIA_BASE_BYTES : 0;
  return post.images.reduce(
    (sum, image) => sum + CODE_UNIT_BYTES * textLengthOf(image) + MEDIA_BASE_BYTES,
    CODE_UNIT_BYTES * texts + POST_BASE_BYTES + video,
  );
}
