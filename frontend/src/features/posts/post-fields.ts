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

/** An uploaded photo, and what the author writes of it. */
interface ImageChoice {
  id: string;
  alt: string;
  caption: string;
}

/** Of a post that is being written; its size in pixels. */
export interface DraftImage extends ImageChoice {
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
export const lengthErrors = (
  { content }: PostDraft,
  contentLabel: string,
  texts: PostTexts,
): Record<PostText, string | undefined> => ({
  content: lengthError(contentLabel, content, LIMITS.postLength, texts),
});

/** What is sent of each field. */
export const sentOf = ({ content, visibility, images }: PostDraft): Required<NewPost> => ({
  content: written(content),
  visibility,
  images: images.map(({ id, alt, caption }) => ({ id, alt: written(alt), caption: written(caption) })),
});

/** A draft as it is published. Coaches alone choose who may read. */
export function newPostOf(draft: PostDraft, isCoach: boolean): NewPost {
  const { images, ...fields } = sentOf(draft);
  const visibility = isCoach ? fields.visibility : 'public';
  return { ...fields, visibility, ...(images.length > 0 ? { images } : {}) };
}

/** What is left of a draft once `sent` is published: what was typed and uploaded since. */
export function restOf({ content, visibility, images }: PostDraft, sent: NewPost): PostDraft {
  const typed = cleaned(content).trimStart();
  return {
    content: typed.startsWith(sent.content) ? typed.slice(sent.content.length).trimStart() : typed,
    visibility,
    images: images.filter(({ id }) => !sent.images?.some((image) => image.id === id)),
  };
}
