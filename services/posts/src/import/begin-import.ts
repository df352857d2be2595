import { Injectable } from '@nestjs/common';
import { VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import type { BeginImportRequest, ImportState } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { DomainError, validationFailed } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { KnownUsers } from '../projections/known-users.js';
import { CommentRepository } from '../store/comment.repository.js';
import { ImportRepository } from '../store/import.repository.js';
import { PostRepository } from '../store/post.repository.js';
import { viewImport } from './import-view.js';

/**
 * `POST /api/me/import`: begins an import into an account without posts and comments, or goes on with one of the same source (ACCT-46).
 * What the caller writes meanwhile stops nothing.
 */
@Injectable()
export class BeginImport {
  constructor(
    private readonly imports: ImportRepository,
    private readonly posts: PostRepository,
    private readonly comments: CommentRepository,
    private readonly users: KnownUsers,
  ) {}

  async execute({ sourceUserId }: BeginImportRequest): Promise<ImportState> {
    const { userId } = requireCaller();
    if (!isId(sourceUserId)) {
      const message = VALIDATION_MESSAGES.sourceUserId;
      throw validationFailed([{ path: 'sourceUserId', code: 'invalid-value', message }]);
    }
    await this.users.requireCaller(userId);
    const before = await this.imports.find(userId);
    if (before?.sourceUserId === sourceUserId) return viewImport(before);
    if (!(await this.isEmpty(userId))) throw accountNotEmpty();
    await this.imports.begin(userId, sourceUserId);
    return viewImport(await this.imports.find(userId));
  }

  private async isEmpty(userId: string): Promise<boolean> {
    const posts = await this.posts.listByAuthor(userId, [], undefined, 1);
    return posts.length === 0 && !(await this.comments.hasAny(userId));
  }
}

const accountNotEmpty = () =>
  new DomainError(
    'account-not-empty',
    'You can import into an account that has no posts and no comments yet.',
  );
