import { Injectable } from '@nestjs/common';
import { UserEraser } from '@pulso/platform/erasure/user-eraser';
import { LikeWriter } from '../like/like-writer.js';
import { KnownUsers } from '../projections/known-users.js';
import { DeletedImports } from '../store/deleted-imports.js';
import { ImportRepository } from '../store/import.repository.js';
import { LikeRepository } from '../store/like.repository.js';
import { PostRepository } from '../store/post.repository.js';

const ERASED_AT_ONCE = 100;
/** Each counts its target. */
const LIKES_AT_ONCE = 20;

/**
 * Erases the posts and likes of a user (ACCT-32), as if the user had deleted each: texts go at once, the rows with their last event.
 * Comments on posts of others stay under 'Deleted user' (ACCT-36).
 */
@Injectable()
export class ErasePosts extends UserEraser {
  constructor(
    private readonly users: KnownUsers,
    private readonly posts: PostRepository,
    private readonly likes: LikeRepository,
    private readonly imports: ImportRepository,
    private readonly deletedImports: DeletedImports,
    private readonly likeWriter: LikeWriter,
  ) {
    super();
  }

  /** Ends when what others have written to the posts is marked as well. */
  async erase(userId: string, stopping: AbortSignal): Promise<boolean> {
    if ((await this.users.find(userId))?.status !== 'deleted') return false;
    await this.imports.forget(userId);
    await this.erasePosts(userId, stopping);
    await this.eraseLikes(userId, stopping);
    if (await this.posts.isErasingOf(userId)) return false;
    // Every deletion of something imported has kept its id.
    await this.deletedImports.forget(userId);
    return true;
  }

  /** One that changes meanwhile is found again. */
  private async erasePosts(authorId: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const found = await this.posts.listByAuthor(authorId, [], undefined, ERASED_AT_ONCE);
      if (found.length === 0) return;
      await Promise.all(found.map((post) => this.posts.markDeleted(post)));
    }
  }

  /** Those that are left: what an earlier attempt has taken back is not read again. */
  private async eraseLikes(userId: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const found = await this.likes.listActiveByUser(userId, LIKES_AT_ONCE);
      if (found.length === 0) return;
      await Promise.all(found.map(({ targetId }) => this.likeWriter.unlike(targetId, userId, 0)));
    }
  }
}
