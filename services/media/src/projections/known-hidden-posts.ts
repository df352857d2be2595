import { Injectable } from '@nestjs/common';
import type { HiddenPostState } from '@pulso/contracts/social/v1/events';
import { hiddenPostTopic } from '@pulso/contracts/topics/social';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';

/**
 * Which posts moderators have hidden (MEDIA-22). From the decisions themselves, as posts has them: a projection of its own
 * is filled with those that were made before there was one.
 */
@Injectable()
export class KnownHiddenPosts extends ProjectionTable<HiddenPostState> {
  constructor(store: ProjectionStore) {
    super(store, {
      topic: hiddenPostTopic,
      table: 'known_hidden_posts',
      key: ['post_id'],
      columns: ({ hidden }) => ({ hidden }),
    });
  }
}
