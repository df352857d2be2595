import { LIMITS } from '../../api/limits.js';
import type { Post, Visibility } from '../../api/types.js';
import { cleaned, written } from '../../text/written.js';
import { isBlank, lengthError } from '../../validation/text.js';
import type { PostTexts } from './texts.js';

/*
 * What the author of a post may write. A new field is added to `PostDraft`: the compiler then asks for it in the functions of
 * this file. post-form.tsx has its input, post-card.tsx shows it, texts.en.ts has its words; a limit is read from the API by
 * tools/write-limits.mjs.
 */

/** An uploaded photo of a post that is being written; its size in pixels. */
export interface DraftImage {
  id: string;
  alt: string;
  caption: string;
  width: number;
  height: number;
}

/** A post that is being written, new or edited. In the order of the page. */
export interface PostDraft {
  content: string;
  visibility: Visibility;
  images: DraftImage[];
}

/** The fields with an input for text. */
export type PostText = Exclude<keyof PostDraft, 'visibility' | 'images'>;

/** An uploaded photo, and what the author writes of it. */
export interface ImageChoice {
  id: string;
  alt: string;
  caption: string;
}

/** The body of POST /api/posts. */
export interface NewPost {
  content: string;
  visibility: Visibility;
  /** Absent where there are none. */
  images?: ImageChoice[];
}

/** The body of PATCH /api/posts/{id}: absent fields stay as they are, also where another device has changed them meanwhile. */
export type PostChange = Partial<NewPost>;

export const EMPTY_POST: PostDraft = { content: '', visibility: 'public', images: [] };

/** The most characters of each text. */
export const TEXT_LIMITS: Readonly<Record<PostText, number>> = { content: LIMITS.postLength };

const TEXTS = Object.keys(TEXT_LIMITS) as PostText[];

/** How the fields are called in the publisher and, for a `Post`, in the edit dialog. */
const labelsOf = ({ publisher, post }: PostTexts, inEdit: boolean): Record<PostText, string> => ({
  content: inEdit ? post.content : publisher.label,
});

/** A post as the edit dialog begins with it. */
export const draftOfPost = ({ content, visibility, images }: Post): PostDraft => ({
  content,
  visibility,
  images: images.map(({ id, alt, caption, metadata }) => ({ id, alt, caption, ...metadata.dimensions })),
});

/** Whether nothing has been typed or added. */
export const isUntouched = ({ content, images }: PostDraft): boolean => content === '' && images.length === 0;

/** Without anything that can be published. */
export const isEmptyDraft = ({ content, images }: PostDraft): boolean =>
  isBlank(content) && images.length === 0;

/** What to say about the texts that are too long, by field. */
export function lengthErrors(
  draft: PostDraft,
  texts: PostTexts,
  { inEdit }: { inEdit: boolean },
): Partial<Record<PostText, string>> {
  const labels = labelsOf(texts, inEdit);
  return Object.fromEntries(
    TEXTS.map((field) => [field, lengthError(labels[field], draft[field], TEXT_LIMITS[field], texts)]),
  );
}

/** What the publisher says of fields that the server refused: of the first text, else of the photos. */
export const reasonOf = (reasons: Readonly<Record<string, string>>): string | undefined =>
  [...TEXTS, 'images'].map((field) => reasons[field]).find((reason) => reason !== undefined);

/** Photos as they are sent. */
export const imagesOf = (images: readonly DraftImage[]): ImageChoice[] =>
  images.map(({ id, alt, caption }) => ({ id, alt: written(alt), caption: written(caption) }));

const sentOf = ({ content, visibility, images }: PostDraft): Required<NewPost> => ({
  content: written(content),
  visibility,
  images: imagesOf(images),
});

/** A draft as it is published. Coaches alone choose who may read. */
export function newPostOf(draft: PostDraft, isCoach: boolean): NewPost {
  const { images, ...fields } = sentOf(draft);
  const visibility = isCoach ? fields.visibility : 'public';
  return { ...fields, visibility, ...(images.length > 0 ? { images } : {}) };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The fields that are to be saved: those that were changed (POST-5). */
export function changesOf(edit: PostDraft, post: PostDraft): PostChange {
  const before = sentOf(post);
  const changed = Object.entries(sentOf(edit)).filter(
    ([field, value]) => !isSame(value, before[field as keyof PostChange]),
  );
  return Object.fromEntries(changed);
}

/** Whether something was typed or chosen, also white space that is not sent. */
export const differs = (one: PostDraft, other: PostDraft): boolean =>
  TEXTS.some((field) => one[field] !== other[field]) || !isSame(sentOf(one), sentOf(other));

/** What is left of a draft once `sent` is published: what was typed and uploaded since. */
export function restOf({ content, visibility, images }: PostDraft, sent: NewPost): PostDraft {
  const typed = cleaned(content).trimStart();
  return {
    content: typed.startsWith(sent.content) ? typed.slice(sent.content.length).trimStart() : typed,
    visibility,
    images: images.filter(({ id }) => !sent.images?.some((image) => image.id === id)),
  };
}
