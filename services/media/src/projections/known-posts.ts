import { Injectable } from '@nestjs/common';
import type { PostState } from '@pulso/contracts/posts/v1/events';
import { postTopic } from '@pulso/contracts/topics/posts';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Attachments } from '../store/attachments.js';

/** Which images each post has (MEDIA-17). */
@Injectable()
export class KnownPosts extends ProjectionTable<PostState> {
  constructor(
    store: ProjectionStore,
    private readonly attachments: Attachments,
  ) {
    super(store, {
      topic: postTopic,
      table: 'known_posts',
      key: ['id'],
      columns: (state) => ({
        author_id: state.authorId,
        media_ids: state.mediaIds,
        media_epoch: state.mediaEpoch,
        deleted: state.deleted,
      }),
      // Nothing is attached to most posts, neither before nor after an event.
      plain: {
        isPlain: ({ deleted, mediaIds }) => !deleted && mediaIds.length === 0,
        row: 'cardinality(known.media_ids) = 0',
      },
    });
  }

  protected override async afterRowWritten(
    [targetId]: readonly string[],
    state: PostState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (!state || state.deleted) return this.attachments.end(targetId!, 'post', transaction);
    const { authorId: ownerId, mediaIds: listed, mediaEpoch: epoch } = state;
    await this.attachments.apply(
      { targetId: targetId!, ownerId, purpose: 'post', listed, epoch },
      transaction,
    );
  }
}
