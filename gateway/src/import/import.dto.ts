import { IMPORT, TEXT_LIMITS, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { z } from 'zod';
import { EXAMPLE } from '../openapi/examples.js';
import { newPostFields } from '../posts/post.dto.js';
import { count, id } from '../user-ref/user-ref.dto.js';
import { givenId, givenText, list, refuse } from '../validation/fields.js';
import { answer, body } from '../validation/named-schemas.js';

const SOURCE_USER = '0190a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';
const SOURCE_POST = '0191b2d3-6c7e-7f80-8a1b-2c3d4e5f6071';
const SOURCE_COMMENT = '0191b2d4-7d8f-7a91-9b2c-3d4e5f607182';

const sourceId = givenId.meta({
  description: 'The id in the archive, a UUIDv7; its time is that of what is imported',
});

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** In ms. Whether the post can have been edited then is for posts to judge. */
const editedAt = z
  .string()
  .meta({ format: 'date-time', maxLength: 30 })
  .transform((input, context) => {
    const time = ISO_TIME.test(input) ? Date.parse(input) : NaN;
    return Number.isNaN(time) ? refuse(context, 'out-of-range', VALIDATION_MESSAGES.editedAt) : time;
  });

export class BeginImportBody extends body('BeginImport', z.strictObject({ sourceUserId: givenId }), {
  sourceUserId: SOURCE_USER,
}) {}

const ids = list(sourceId, VALIDATION_MESSAGES.tooManyIds, IMPORT.idsAtOnce).default([]);

export class PendingImportsBody extends body(
  'PendingImports',
  z.strictObject({ posts: ids, comments: ids }),
  { posts: [SOURCE_POST], comments: [SOURCE_COMMENT] },
) {}

export class ImportPostsBody extends body(
  'ImportPosts',
  z.strictObject({
    posts: list(
      z.strictObject({ sourceId, ...newPostFields, editedAt: editedAt.nullable().default(null) }),
      VALIDATION_MESSAGES.tooManyPosts,
      IMPORT.postsAtOnce,
    ),
  }),
  { posts: [{ sourceId: SOURCE_POST, content: 'First session done!', visibility: 'public' }] },
) {}

export class ImportCommentsBody extends body(
  'ImportComments',
  z.strictObject({
    comments: list(
      z.strictObject({
        sourceId,
        postSourceId: sourceId,
        content: givenText(TEXT_LIMITS.comment, VALIDATION_MESSAGES.emptyComment),
      }),
      VALIDATION_MESSAGES.tooManyComments,
      IMPORT.commentsAtOnce,
    ),
  }),
  { comments: [{ sourceId: SOURCE_COMMENT, postSourceId: SOURCE_POST, content: 'And ten more.' }] },
) {}

export const importSchema = answer(
  'Import',
  z.object({
    sourceUserId: z.string().nullable().meta({ description: 'null before the first import' }),
    posts: count.meta({ description: 'How many were imported, also those that were deleted since' }),
    comments: count,
  }),
  { sourceUserId: SOURCE_USER, posts: 120, comments: 14 },
);

export const pendingImportsSchema = answer(
  'PendingImportIds',
  z.object({ posts: z.array(z.string()), comments: z.array(z.string()) }),
  { posts: [SOURCE_POST], comments: [] },
);

const imported = z.array(
  z.object({
    sourceId: z.string(),
    id: id.nullable().meta({ description: 'null where it has been deleted here since it was imported' }),
  }),
);

export const importedPostsSchema = answer('ImportedPosts', z.object({ posts: imported }), {
  posts: [{ sourceId: SOURCE_POST, id: EXAMPLE.postId }],
});

export const importedCommentsSchema = answer('ImportedComments', z.object({ comments: imported }), {
  comments: [{ sourceId: SOURCE_COMMENT, id: EXAMPLE.commentId }],
});

export type Import = z.output<typeof importSchema>;
export type PendingImports = z.output<typeof pendingImportsSchema>;
export type ImportedPosts = z.output<typeof importedPostsSchema>;
export type ImportedComments = z.output<typeof importedCommentsSchema>;
