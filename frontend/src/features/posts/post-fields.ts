import { LIMITS } from '../../api/limits.js';
import type { Visibility } from '../../api/types.js';
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

/** A chosen file; `id` is absent until all of it is on the server. Times in ms, sizes in bytes. */
export interface DraftUpload {
  type: 'upload';
  id?: string;
  /** Where the server takes its bytes, once it does: with the same file the upload goes on there, also after a reload (MEDIA-9). */
  address?: string;
  /** By these a file is taken for the same one. */
  file?: Pick<File, 'name' | 'type' | 'size' | 'lastModified'>;
  /** Why the server could make no video of it. */
  problem?: string;
}

/** The video of a post that is being written. */
type DraftVideo = DraftUpload | { type: 'url'; url: string };

/** A post that is being written, new or edited. In the order of the page. */
export interface PostDraft {
  content: string;
  visibility: Visibility;
  images: DraftImage[];
  video: DraftVideo | null;
}

/** The fields with an input for text. */
export type PostText = Exclude<keyof PostDraft, 'visibility' | 'images' | 'video'>;

/** A link that may be sent (POST-26); the server judges the rest. */
export const isWebUrl = (text: string): boolean => /^\s*https?:\/\/\S{1,2040}\s*$/i.test(text);

type VideoChoice = { type: 'upload'; id: string } | { type: 'url'; url: string };

/** The body of POST /api/posts. */
export interface NewPost {
  content: string;
  visibility: Visibility;
  /** Absent where there are none. */
  images?: ImageChoice[];
  /** Absent where there is none. */
  video?: VideoChoice | null;
}

/**
 * The body of PATCH /api/posts/{id}: absent fields stay as they are, also where another device has changed them meanwhile. A video
 * can only be removed (POST-5).
 */
export type PostChange = Partial<Omit<NewPost, 'video'>> & { video?: null };

export const EMPTY_POST: PostDraft = { content: '', visibility: 'public', images: [], video: null };

/** Whether nothing has been typed or added. */
export const isUntouched = ({ content, images, video }: PostDraft): boolean =>
  content === '' && images.length === 0 && !video;

/** Without anything that can be published. */
export const isEmptyDraft = ({ content, images, video }: PostDraft): boolean =>
  isBlank(content) && images.length === 0 && !video;

/** What to say about the texts that are too long, by field. */
export const lengthErrors = (
  { content }: PostDraft,
  contentLabel: string,
  texts: PostTexts,
): Record<PostText, string | undefined> => ({
  content: lengthError(contentLabel, content, LIMITS.postLength, texts),
});

/** What is sent of each field. */
export const sentOf = ({ content, visibility, images, video }: PostDraft): Required<NewPost> => ({
  content: written(content),
  visibility,
  images: images.map(({ id, alt, caption }) => ({ id, alt: written(alt), caption: written(caption) })),
  video:
    video &&
    (video.type === 'url' ? { type: 'url', url: video.url.trim() } : { type: 'upload', id: video.id ?? '' }),
});

/** A draft as it is published. Coaches alone choose who may read. */
export function newPostOf(draft: PostDraft, isCoach: boolean): NewPost {
  const { images, video, ...fields } = sentOf(draft);
  const visibility = isCoach ? fields.visibility : 'public';
  return { ...fields, visibility, ...(images.length > 0 && { images }), ...(video && { video }) };
}

/** What is left of a draft once `sent` is published: what was typed and uploaded since. */
export function restOf(draft: PostDraft, sent: NewPost): PostDraft {
  const { content, visibility, images, video } = draft;
  const typed = cleaned(content).trimStart();
  const isSent = sent.video && JSON.stringify(sent.video) === JSON.stringify(sentOf(draft).video);
  return {
    content: typed.startsWith(sent.content) ? typed.slice(sent.content.length).trimStart() : typed,
    visibility,
    images: images.filter(({ id }) => !sent.images?.some((image) => image.id === id)),
    video: isSent ? null : video,
  };
}
