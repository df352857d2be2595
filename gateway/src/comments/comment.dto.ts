import { VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { z } from 'zod';
import { givenText } from '../validation/fields.js';
import { answer, body } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { count, id, importedAt, time, userRefSchema } from '../user-ref/user-ref.dto.js';

export class NewCommentBody extends body(
  'NewComment',
  z.strictObject({ content: givenText(TEXT_LIMITS.comment, VALIDATION_MESSAGES.emptyComment) }),
  {
    content: 'Well done!',
  },
) {}

const exampleComment = {
  id: EXAMPLE.commentId,
  postId: EXAMPLE.postId,
  author: {
    id: EXAMPLE.memberId,
    name: 'Ben Ortiz',
    username: 'ben-ortiz',
    profileImage: '/api/avatars/B.svg',
    isCoach: false,
  },
  content: 'Well done!',
  likeCount: 1,
  likedByViewer: false,
  createdAt: EXAMPLE.later,
  updatedAt: EXAMPLE.later,
};

export const commentSchema = answer(
  'Comment',
  z.object({
    id,
    postId: id,
    author: userRefSchema,
    content: z.string(),
    likeCount: count,
    likedByViewer: z.boolean(),
    createdAt: time,
    updatedAt: time,
    importedAt: importedAt.optional(),
  }),
  exampleComment,
);

export const commentPageSchema = answer(
  'CommentPage',
  z.object({ items: z.array(commentSchema), nextCursor: z.string().nullable() }),
  { items: [exampleComment], nextCursor: null },
);

export type Comment = z.output<typeof commentSchema>;
export type CommentPage = z.output<typeof commentPageSchema>;
