import { Injectable } from '@nestjs/common';
import { IMPORT, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import type { FindImportedRequest, FindImportedResponse, FoundImport } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { derivedId, isId } from '@pulso/platform/ids/uuid-v7';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import { CommentRepository } from '../store/comment.repository.js';
import { PostRepository } from '../store/post.repository.js';

/** `POST /api/me/import/pending`: which posts and comments of an archive the caller has imported, also if deleted since (ACCT-46). */
@Injectable()
export class FindImported {
  constructor(
    private readonly posts: PostRepository,
    private readonly comments: CommentRepository,
  ) {}

  async execute({ postIds, commentIds }: FindImportedRequest): Promise<FindImportedResponse> {
    const { userId } = requireCaller();
    const problems = new FieldProblems();
    for (const [path, ids] of Object.entries({ posts: postIds, comments: commentIds }))
      if (ids.length > IMPORT.idsAtOnce) problems.add(path, 'too-many', VALIDATION_MESSAGES.tooManyIds);
    problems.check();
    const [posts, comments] = await Promise.all([
      found(this.posts, userId, postIds),
      found(this.comments, userId, commentIds),
    ]);
    return { posts, comments };
  }
}

async function found(
  rows: Pick<PostRepository | CommentRepository, 'liveAmong'>,
  userId: string,
  sourceIds: readonly string[],
): Promise<FoundImport[]> {
  if (sourceIds.length === 0) return [];
  const ids = sourceIds.map((sourceId) => (isId(sourceId) ? derivedId(userId, sourceId) : ''));
  const known = await rows.liveAmong(userId, ids);
  return ids.map((id) => ({ id, imported: known.has(id) }));
}
